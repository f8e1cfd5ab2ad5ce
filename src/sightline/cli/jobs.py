"""job: look at the queue, and retry or drop jobs that are held after too many failures."""

from typing import Annotated

import typer

from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.db.engine import Database
from sightline.jobs.inspect import JobState, QueuedJob, RetryResult, drop_held_job, list_jobs, retry_job
from sightline.kit.clock import to_iso
from sightline.kit.shell_command import format_command
from sightline.settings import Settings

job_commands = typer.Typer(help="List, retry and drop the jobs in the queue.", no_args_is_help=True)

JobIds = Annotated[list[int], typer.Argument(help="Ids of jobs, as `job list` shows them.")]
_RETRY_TEXTS: dict[RetryResult, str] = {
    "retried": "is in the queue again. A worker runs it as soon as one is free.",
    "already_queued": "stays held, because the same work is already in the queue. To drop it, run: {command}",
    "not_held": "is not held. Only held jobs can be retried.",
}


@job_commands.command("list")
def list_queue(
    state: Annotated[str, typer.Option(help="waiting, scheduled, running or held. Default: all.")] = "",
    kind: Annotated[str, typer.Option(help="Kind of the jobs, such as scan.finish. Default: all.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of jobs.")] = 100,
    as_json: AsJson = False,
) -> None:
    """List the jobs in the queue, held jobs first."""
    chosen = _parse_state(state)

    async def action(db: Database, _: Settings) -> list[QueuedJob]:
        return await list_jobs(db, state=chosen, kind=kind or None, limit=limit)

    jobs = run_on_database(action)

    def print_text() -> None:
        if not jobs:
            out.print("No jobs found.")
            return
        table = build_table("Id", "Kind", "State", "Attempts", "Due", "Held since", "Last failure")
        for job in jobs:
            held = to_iso(job.failed_at) if job.failed_at else ""
            row = (job.kind, job.state, str(job.attempts), to_iso(job.run_after), held, job.failure or "")
            table.add_row(str(job.id), *row)
        out.print(table)

    print_result({"jobs": jobs}, as_json, print_text)


@job_commands.command("retry")
def retry(ids: JobIds, as_json: AsJson = False) -> None:
    """Run held jobs again. No credits are charged twice. Exits with 1 if a job was not retried."""

    async def action(db: Database, _: Settings) -> dict[int, RetryResult]:
        return {each: await retry_job(db, each) for each in ids}

    results = run_on_database(action)

    def print_text() -> None:
        for job_id, result in results.items():
            text = _RETRY_TEXTS[result].format(command=format_command("job", "drop", str(job_id)))
            out.print(f"Job {job_id} {text}", highlight=False, markup=False)

    print_result({"jobs": [{"id": each, "result": results[each]} for each in results]}, as_json, print_text)
    if any(result != "retried" for result in results.values()):
        raise typer.Exit(1)


@job_commands.command("drop")
def drop(ids: JobIds, as_json: AsJson = False) -> None:
    """Delete held jobs permanently, and print what is lost with each job. Exits with 1 if a job is not held."""
    from sightline.worker.job_kinds import explain_drop

    async def action(db: Database, _: Settings) -> dict[int, str | None]:
        return {each: await drop_held_job(db, each) for each in ids}

    kinds = run_on_database(action)
    results = [
        {"id": each, "dropped": kind is not None, "kind": kind, "effect": explain_drop(kind) if kind else None}
        for each, kind in kinds.items()
    ]

    def print_text() -> None:
        for each in results:
            text = (
                f"({each['kind']}) is deleted. {each['effect']}" if each["dropped"] else "is not held. Nothing changed."
            )
            out.print(f"Job {each['id']} {text}", highlight=False, markup=False)

    print_result({"jobs": results}, as_json, print_text)
    if not all(each["dropped"] for each in results):
        raise typer.Exit(1)


def _parse_state(text: str) -> JobState | None:
    states: dict[str, JobState | None] = {
        "": None,
        "waiting": "waiting",
        "scheduled": "scheduled",
        "running": "running",
        "held": "held",
    }
    if text not in states:
        fail(f"There is no state '{text}'. Use waiting, scheduled, running or held.", exit_code=2)
    return states[text]
