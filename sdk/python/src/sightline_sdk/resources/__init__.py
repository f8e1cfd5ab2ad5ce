"""The resources of a client.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from sightline_sdk._transport import AsyncTransport, Transport
from sightline_sdk.resources.account import AccountResource, AsyncAccountResource
from sightline_sdk.resources.alerts import AlertsResource, AsyncAlertsResource
from sightline_sdk.resources.analytics import AnalyticsResource, AsyncAnalyticsResource
from sightline_sdk.resources.answers import AnswersResource, AsyncAnswersResource
from sightline_sdk.resources.audit import AsyncAuditResource, AuditResource
from sightline_sdk.resources.changes import AsyncChangesResource, ChangesResource
from sightline_sdk.resources.checks import AsyncChecksResource, ChecksResource
from sightline_sdk.resources.clients import AsyncClientsResource, ClientsResource
from sightline_sdk.resources.competitors import AsyncCompetitorsResource, CompetitorsResource
from sightline_sdk.resources.corrections import AsyncCorrectionsResource, CorrectionsResource
from sightline_sdk.resources.credits import AsyncCreditsResource, CreditsResource
from sightline_sdk.resources.domains import AsyncDomainsResource, DomainsResource
from sightline_sdk.resources.edition import AsyncEditionResource, EditionResource
from sightline_sdk.resources.facts import AsyncFactsResource, FactsResource
from sightline_sdk.resources.findings import AsyncFindingsResource, FindingsResource
from sightline_sdk.resources.keys import AsyncKeysResource, KeysResource
from sightline_sdk.resources.opportunities import AsyncOpportunitiesResource, OpportunitiesResource
from sightline_sdk.resources.platforms import AsyncPlatformsResource, PlatformsResource
from sightline_sdk.resources.prompts import AsyncPromptsResource, PromptsResource
from sightline_sdk.resources.recommendations import AsyncRecommendationsResource, RecommendationsResource
from sightline_sdk.resources.reports import AsyncReportsResource, ReportsResource
from sightline_sdk.resources.scans import AsyncScansResource, ScansResource
from sightline_sdk.resources.schedules import AsyncSchedulesResource, SchedulesResource
from sightline_sdk.resources.searches import AsyncSearchesResource, SearchesResource
from sightline_sdk.resources.second_opinions import AsyncSecondOpinionsResource, SecondOpinionsResource
from sightline_sdk.resources.site_review import AsyncSiteReviewResource, SiteReviewResource
from sightline_sdk.resources.slack_channels import AsyncSlackChannelsResource, SlackChannelsResource
from sightline_sdk.resources.tables import AsyncTablesResource, TablesResource
from sightline_sdk.resources.themes import AsyncThemesResource, ThemesResource
from sightline_sdk.resources.tracked_domains import AsyncTrackedDomainsResource, TrackedDomainsResource
from sightline_sdk.resources.usage import AsyncUsageResource, UsageResource
from sightline_sdk.resources.webhooks import AsyncWebhooksResource, WebhooksResource


class Resources:
    def __init__(self, transport: Transport) -> None:
        self.account = AccountResource(transport)
        self.audit = AuditResource(transport)
        self.credits = CreditsResource(transport)
        self.domains = DomainsResource(transport)
        self.keys = KeysResource(transport)
        self.platforms = PlatformsResource(transport)
        self.scans = ScansResource(transport)
        self.usage = UsageResource(transport)
        self.webhooks = WebhooksResource(transport)
        self.analytics = AnalyticsResource(transport)
        self.checks = ChecksResource(transport)
        self.answers = AnswersResource(transport)
        self.searches = SearchesResource(transport)
        self.clients = ClientsResource(transport)
        self.competitors = CompetitorsResource(transport)
        self.corrections = CorrectionsResource(transport)
        self.tracked_domains = TrackedDomainsResource(transport)
        self.facts = FactsResource(transport)
        self.alerts = AlertsResource(transport)
        self.edition = EditionResource(transport)
        self.themes = ThemesResource(transport)
        self.opportunities = OpportunitiesResource(transport)
        self.changes = ChangesResource(transport)
        self.findings = FindingsResource(transport)
        self.prompts = PromptsResource(transport)
        self.recommendations = RecommendationsResource(transport)
        self.schedules = SchedulesResource(transport)
        self.reports = ReportsResource(transport)
        self.second_opinions = SecondOpinionsResource(transport)
        self.site_review = SiteReviewResource(transport)
        self.slack_channels = SlackChannelsResource(transport)
        self.tables = TablesResource(transport)


class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
        self.account = AsyncAccountResource(transport)
        self.audit = AsyncAuditResource(transport)
        self.credits = AsyncCreditsResource(transport)
        self.domains = AsyncDomainsResource(transport)
        self.keys = AsyncKeysResource(transport)
        self.platforms = AsyncPlatformsResource(transport)
        self.scans = AsyncScansResource(transport)
        self.usage = AsyncUsageResource(transport)
        self.webhooks = AsyncWebhooksResource(transport)
        self.analytics = AsyncAnalyticsResource(transport)
        self.checks = AsyncChecksResource(transport)
        self.answers = AsyncAnswersResource(transport)
        self.searches = AsyncSearchesResource(transport)
        self.clients = AsyncClientsResource(transport)
        self.competitors = AsyncCompetitorsResource(transport)
        self.corrections = AsyncCorrectionsResource(transport)
        self.tracked_domains = AsyncTrackedDomainsResource(transport)
        self.facts = AsyncFactsResource(transport)
        self.alerts = AsyncAlertsResource(transport)
        self.edition = AsyncEditionResource(transport)
        self.themes = AsyncThemesResource(transport)
        self.opportunities = AsyncOpportunitiesResource(transport)
        self.changes = AsyncChangesResource(transport)
        self.findings = AsyncFindingsResource(transport)
        self.prompts = AsyncPromptsResource(transport)
        self.recommendations = AsyncRecommendationsResource(transport)
        self.schedules = AsyncSchedulesResource(transport)
        self.reports = AsyncReportsResource(transport)
        self.second_opinions = AsyncSecondOpinionsResource(transport)
        self.site_review = AsyncSiteReviewResource(transport)
        self.slack_channels = AsyncSlackChannelsResource(transport)
        self.tables = AsyncTablesResource(transport)
