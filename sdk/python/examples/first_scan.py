from sightline_sdk import ConflictError, Sightline

with Sightline() as client:
    try:
        domain = client.domains.register(domain="acme.com", brand_name="Acme", competitors=["globex.com"])
    except ConflictError as error:  # it is registered already
        domain = client.domains.retrieve(error.members["domain_id"])
    prompts, platforms = ["best anvil for a small forge"], ["chatgpt", "gemini"]
    price = client.scans.preview(domain_id=domain.id, keywords=prompts, platforms=platforms)
    print(f"{price.answers_total} answers cost {price.credits_required} of {price.balance} credits.")
    scan = client.scans.submit(domain_id=domain.id, keywords=prompts, platforms=platforms)
    scan = client.scans.wait(scan.id, on_progress=lambda state: print(state.status, state.answers_completed))
    if scan.status == "completed":
        coverage = client.scans.results(scan.id).headline.brand_coverage_pct
        print(f"Named in {coverage.value}% of {coverage.n} answers, range {coverage.low} to {coverage.high}.")
        for answer in client.scans.answers(scan.id):
            print(f"{answer.platform}: {answer.text[:60]}")
