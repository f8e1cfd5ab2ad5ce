import asyncio

from sightline_sdk import AsyncSightline


async def main() -> None:
    async with AsyncSightline() as client:
        async for domain in client.tracked_domains.list():
            score = (await client.analytics.retrieve(domain.id)).headline.visibility_score
            print(f"{domain.domain}: {score.value} ({score.low} to {score.high})")
            async for alert in client.alerts.list(domain.id):
                print(f"  {alert.state}: {alert.summary}")
            reports = await client.reports.list(domain.id).first_page()
            for report in reports.data[:1]:
                await client.reports.pdf(domain.id, report.id).save(f"{domain.domain}.pdf")


asyncio.run(main())
