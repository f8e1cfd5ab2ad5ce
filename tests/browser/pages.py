"""Every page that can be looked at, by a short name. A new page of the app is added here."""

# Names in braces are those of the world.
_D, _C = "{dashboard}", "{console}"
SIGNED_OUT = {
    "sign-in": "/sign-in",
    "reference": "/docs",
    "errors": "/docs/errors",
    "welcome": "/welcome",
}
# Pages whose whole point is to be read: they do without a script, and a viewer may see them.
READING = {
    "domains": "/w/{agency}",
    "overview": _D,
    "overview-coverage": f"{_D}?metric=brand_coverage_pct",
    "prompts": f"{_D}/prompts",
    "prompt": f"{_D}/prompts/{{prompt}}",
    "answer": f"{_D}/answers/{{scan}}/{{answer}}",
    "competitors": f"{_D}/competitors",
    "sources": f"{_D}/sources",
    "sentiment": f"{_D}/sentiment",
    "opportunities": f"{_D}/opportunities",
    "recommendations": f"{_D}/recommendations",
    "alerts": "{alerts}",
    "no-alerts": f"{_D}/alerts",
    "checks": f"{_D}/checks",
    "check": f"{_D}/checks/{{scan}}",
    "reports": f"{_D}/reports",
    "report": f"{_D}/reports/{{report}}",
    "share": f"{_D}/reports/{{report}}/share",
    "settings": f"{_D}/settings",
    "members": "/w/{agency}/members",
    "console": _C,
    "console-scans": f"{_C}/scans",
    "console-domains": f"{_C}/domains",
    "console-domain": f"{_C}/domains/{{console_domain}}",
    "console-credits": f"{_C}/credits",
    "console-usage": f"{_C}/usage",
    "console-test-mode": f"{_C}/test",
}
ACTING = {
    "account": "/account",
    "set-up-names": "/w/{professional}/new?domain={globex}",
    "set-up": "/w/{agency}/new",
    "console-new-scan": f"{_C}/scans/new",
    "console-keys": f"{_C}/keys",
    "console-webhooks": f"{_C}/webhooks",
    "console-purchases": f"{_C}/credits/checkouts",
}
SIGNED_IN = READING | ACTING
# Of a workspace that the viewer is no member of, or with a form that is about themselves.
NOT_FOR_VIEWERS = {"alerts", "members"}


def path_of(world, name: str) -> str:
    named = {each: getattr(world, each) for each in dir(world) if isinstance(getattr(world, each), str)}
    return (SIGNED_OUT | SIGNED_IN)[name].format(**named)
