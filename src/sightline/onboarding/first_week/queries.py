"""All SQL of the list of the first week."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, to_row_or_none


class FirstWeekState(msgspec.Struct, frozen=True):
    """What has happened since the set-up was completed, in the order of the query."""

    is_closed: bool
    active_scan_id: uuid.UUID | None
    has_check: bool
    has_board: bool
    has_reviewed_prompts: bool
    has_competitors: bool
    has_emails: bool
    has_done_task: bool
    has_shared_report: bool
    has_company: bool
    """Whether there is another member, or an open invitation."""


async def find_state(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, user_id: uuid.UUID, *, now: datetime
) -> FirstWeekState | None:
    """Return the state of an active domain. Answers of a sandbox that has ended do not count as a check."""
    row = await db.fetchrow(
        """SELECT d.first_week_closed_at IS NOT NULL,
                  (SELECT s.id FROM scans s WHERE s.workspace_id = $1 AND s.domain_id = $2
                                              AND s.status IN ('pending', 'running')),
                  EXISTS (SELECT FROM scans s WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.status = 'completed'
                                                AND s.created_at >= d.anchor_at),
                  EXISTS (SELECT FROM scoreboards b WHERE b.workspace_id = $1 AND b.domain_id = $2
                                                      AND b.board IS NOT NULL),
                  EXISTS (SELECT FROM prompts p WHERE p.workspace_id = $1 AND p.domain_id = $2
                            AND greatest(p.created_at, p.pinned_at, p.removed_at) > d.anchor_at),
                  d.competitor_count > 0,
                  EXISTS (SELECT FROM members m WHERE m.workspace_id = $1 AND m.user_id = $3
                                                  AND (m.alert_letters OR m.report_letters)),
                  EXISTS (SELECT FROM recommendation_marks r WHERE r.workspace_id = $1 AND r.domain_id = $2),
                  EXISTS (SELECT FROM report_shares s
                          JOIN reports r ON r.workspace_id = s.workspace_id AND r.id = s.report_id
                          WHERE s.workspace_id = $1 AND r.domain_id = $2),
                  (SELECT count(*) > 1 FROM members m WHERE m.workspace_id = $1)
                      OR EXISTS (SELECT FROM invitations i WHERE i.workspace_id = $1 AND i.revoked_at IS NULL
                                                             AND i.accepted_at IS NULL AND i.expires_at > $4)
           FROM domains d
           WHERE d.workspace_id = $1 AND d.id = $2 AND d.kind = 'tracked' AND d.livemode AND d.status = 'active'""",
        workspace_id,
        domain_id,
        user_id,
        now,
    )
    return to_row_or_none(FirstWeekState, row)
