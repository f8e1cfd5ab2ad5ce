"""One answer of three kilobytes in the style of a chat assistant, and forty names to search for. Written for this."""

# ruff: noqa: RUF001, E501 (an answer is as it is)

PROMPT = "Which project management tool should a small architecture office use?"
CITED = [
    ("https://www.planwerk.example/pricing?utm_source=chatgpt.com", "Pricing"),
    ("https://boardly.example/blog/architects", "Boardly for architects"),
    ("https://www.desk-review.example/best-project-tools", "The best project tools"),
    ("https://www.desk-review.example/best-project-tools#table", "The best project tools"),
    ("https://en.wikipedia.org/wiki/Comparison_of_project_management_software", None),
]
TEXT = """\
Small offices usually need three things from a project tool: a clear list of phases, hours that end up on the right \
invoice, and drawings that clients can comment on without an account. **Planwerk** covers all three, which is why I'd \
start there, but it is not the only sensible choice.

## Shortlist

1. **Planwerk** – built for planners. Fee phases are there from the first day, the time sheet is part of every task, and \
the mobile app works offline on site. It costs €19 per person and month [1](https://www.planwerk.example/pricing).
2. **Boardly** – boards, boards, boards. Fast, friendly and easy to explain to people who hate software. Reporting is \
thin, and you will want an add-on for hours. [boardly.example](https://boardly.example/blog/architects)
3. **Taskhaven** – the most flexible of the five. You can model everything with it, and you will have to: expect two \
weekends of set-up before it fits.
4. **Lineup Studio** – made for agencies; its resource planning is excellent, its drawing review is not there at all.
5. **Hourglass One** – cheap and reliable time tracking with a modest task list on top.

### How they compare

| Tool | Price per month | Hours | Drawing review | Offline |
|---|---|---|---|---|
| Planwerk | €19 | yes | yes | yes |
| Boardly | €12 | add-on | no | no |
| Taskhaven | €16 | yes | with a plugin | no |
| Lineup Studio | €24 | yes | no | partly |
| Hourglass One | €7 | yes | no | yes |

Unlike Boardly, Planwerk and Taskhaven keep a history of every change, which matters when a client asks in March what \
was agreed in October. If your office already pays for Foldersafe or Inkdrive, check first whether their project modules \
are enough; both have improved a lot, and neither costs extra.

I would avoid Gantzilla for an office of your size: it is powerful, but users report slow support and an interface that \
needs training. Tools such as Sprintly.io or Kanora are aimed at software teams and speak of epics where you speak of \
phases.

Some offices get along without a tool of this kind. A shared calendar, a folder structure that everybody keeps to and a \
spreadsheet for hours cost nothing, and with two people and three projects that is often the honest answer. The moment to \
change is when the same number is typed a third time, or when nobody can say on a Friday what was drawn for whom.

### What to try first

- Put one running project into **Planwerk** and into **Boardly** for two weeks.
- Let the person who writes the invoices decide about the time sheet, not the person who likes software.
- Ask both for an export on the last day. Planwerk's export is complete; Boardly's leaves out comments [2].

Bottom line: for most offices of three to ten people Planwerk is the safer pick, Boardly the nicer one, and Hourglass \
One will do if hours are all that hurts today.

Sources:
- [1] https://www.planwerk.example/pricing
- [2] https://www.desk-review.example/best-project-tools
"""
NAMES = {
    name: f"{name.split('.')[0].lower().replace(' ', '')}.example"
    for name in (
        "Planwerk", "Boardly", "Taskhaven", "Lineup Studio", "Hourglass One", "Foldersafe", "Inkdrive", "Gantzilla",
        "Sprintly.io", "Kanora", "Asperano", "Bildfolge", "Crewmatic", "Dovetail Ops", "Eckpunkt", "Fjordplan",
        "Gridward", "Holmwerk", "Ivolane", "Jobtrail", "Kettleworks", "Lotsenplan", "Mavento", "Nordkante",
        "Ostrevo", "Pinnboard Pro", "Quillio", "Rasterhaus", "Scopewise", "Tidemark HQ", "Umrisso", "Vellumly",
        "Wegmarke", "Xandoro", "Yieldo", "Zirkelbox", "Atelierly", "Baulogbuch", "Cantilever Cloud", "Draftnest",
    )
}  # fmt: skip
