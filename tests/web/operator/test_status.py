"""Operator → Status: what it says of a healthy and of a broken installation, and the retry of held jobs."""

import uuid

from sightline import __version__
from tests.web.operator.test_operator_area import make_operator
from tests.web.page_browser import open_browser

STATUS = "/operator/status"


async def insert_job(db, *, key=None, held=True):
    return await db.fetchval(
        """INSERT INTO jobs (kind, payload, priority, run_after, key, failed_at, attempts, failure)
           VALUES ('email', '{}', 0, now() - interval '2 hours', $1, CASE WHEN $2 THEN now() END, 20,
                   'OSError: <the mail server> refused') RETURNING id""",
        key,
        held,
    )


async def test_the_page_says_that_all_is_well_or_what_is_not(installation):
    db = installation.db
    async with open_browser(installation, await make_operator(installation)) as browser:
        assert "No worker is running, so no checks" in (await browser.get(STATUS)).text
        await db.execute("INSERT INTO workers (id, seen_at, version) VALUES ($1, now(), $2)", uuid.uuid4(), __version__)
        page = (await browser.get(STATUS)).text
        assert (
            "Everything works" in page
            and "No jobs are on hold after too many failures." in page
            and f"Sightline {__version__}" in page
        )
        assert "No checks, Console scans or webhook deliveries have failed." in page and "The database uses" in page
        await insert_job(db, held=False)
        await insert_job(db)
        page = (await browser.get(STATUS)).text
        assert "2 problems need your attention" in page
        assert "A job of the kind email has waited for 2 h." in page
        assert "1 job is on hold after too many failures." in page
        assert "OSError: &lt;the mail server&gt; refused" in page


async def test_retry_puts_a_held_job_back_once(installation):
    db = installation.db
    job, queued = await insert_job(db), await insert_job(db, key="same")
    await insert_job(db, key="same", held=False)
    async with open_browser(installation, await make_operator(installation)) as browser:
        for chosen, expected in ((job, "retried"), (job, "not_held"), (queued, "already_queued")):
            answer = await browser.post(f"{STATUS}/retry", data={"job": str(chosen)})
            assert (answer.status_code, answer.headers["location"]) == (303, f"{STATUS}?done={expected}")
        for unknown in ("", "-1", "x", "٣", str(2**70), "999999"):
            assert (await browser.post(f"{STATUS}/retry", data={"job": unknown})).status_code == 404
        assert "The job is back in the queue" in (await browser.get(f"{STATUS}?done=retried")).text
    rows = await db.fetch("SELECT id, failed_at IS NULL, attempts FROM jobs ORDER BY id")
    assert [tuple(row)[1:] for row in rows] == [(True, 0), (False, 20), (True, 20)]
