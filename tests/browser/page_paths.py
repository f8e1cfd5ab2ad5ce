"""The path of every page by a short name. Add new pages of the app here."""

# Placeholders in braces are attributes of the demo site.
_D, _C = "{dashboard}", "{console}"
SIGNED_OUT = {
    "sign-in": "/sign-in",
    "forgotten-password": "/forgot-password",
    "docs": "/docs",
    "docs-metrics": "/docs/measure/metrics",
    "docs-search": "/docs/search?q=webhook",
    "api": "/docs/api",
    "api-resource": "/docs/api/console-domains",
    "errors": "/docs/errors",
    "welcome": "/welcome",
}
# Pages that work without a script, and that a viewer may open.
READ_ONLY = {
    "domains": "/w/{agency}",
    "second-opinion": "/w/{agency}/second-opinion",
    "overview": _D,
    "overview-coverage": f"{_D}?metric=brand_coverage_pct",
    "overview-part": f"{_D}?platform=chatgpt&period=30d",
    "overview-changed": "{fallen}",
    "overview-day": f"{_D}?day=2026-01-01",
    "cell": f"{_D}/cells/{{prompt}}/chatgpt",
    "jump": "/w/{agency}/jump?q=acme",
    "prompts": f"{_D}/prompts",
    "prompt": f"{_D}/prompts/{{prompt}}",
    "answers": f"{_D}/answers",
    "answers-found": f"{_D}/answers?checks=all&brand=named&q=best",
    "searches": f"{_D}/searches",
    "platform": f"{_D}/platforms/chatgpt",
    "answer": f"{_D}/answers/{{scan}}/{{answer}}",
    "payload": f"{_D}/answers/{{scan}}/{{answer}}/payload",
    "competitors": f"{_D}/competitors",
    "competitor": f"{_D}/competitors/{{competitor}}",
    "sources": f"{_D}/sources",
    "source": f"{_D}/sources/{{site}}",
    "sentiment": f"{_D}/sentiment",
    "facts": f"{_D}/facts",
    "opportunities": f"{_D}/opportunities",
    "recommendations": f"{_D}/recommendations",
    "site-review": f"{_D}/site-review",
    "alerts": "{alerts}",
    "alert": "{alerts}/{alert}",
    "no-alerts": f"{_D}/alerts",
    "checks": f"{_D}/checks",
    "check": f"{_D}/checks/{{scan}}",
    "reports": f"{_D}/reports",
    "report": f"{_D}/reports/{{report}}",
    "report-appendix": f"{_D}/reports/{{report}}?appendix=yes",
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
WITH_FORMS = {
    "account": "/account",
    "factors": "/account/factors",
    "factor-app": "/account/factors/app",
    "factor-passkey": "/account/factors/passkey",
    "audit": "/w/{agency}/audit",
    "data": "/w/{agency}/data",
    "single-sign-on": "/w/{agency}/single-sign-on",
    "prompt-import": f"{_D}/prompts/import",
    "clients": "/w/{agency}/clients",
    "slack": "/w/{agency}/slack",
    "import-domains": "/w/{agency}/import",
    "set-up-names": "/w/{professional}/new?domain={globex}",
    "set-up": "/w/{agency}/new",
    "console-new-scan": f"{_C}/scans/new",
    "console-keys": f"{_C}/keys",
    "console-webhooks": f"{_C}/webhooks",
    "console-purchases": f"{_C}/credits/checkouts",
    "operator-status": "/operator/status",
    "operator-platforms": "/operator/platforms",
    "operator-platform": "/operator/platforms/chatgpt",
    "operator-local": "/operator/platforms/local",
}
SIGNED_IN = READ_ONLY | WITH_FORMS
# Pages of a workspace without the viewer, or with a form about the viewer's own membership.
NOT_FOR_VIEWERS = {"overview-changed", "alerts", "alert", "members"}


def page_path(site, name: str) -> str:
    named = {each: getattr(site, each) for each in dir(site) if isinstance(getattr(site, each), str)}
    return (SIGNED_OUT | SIGNED_IN)[name].format(**named)
