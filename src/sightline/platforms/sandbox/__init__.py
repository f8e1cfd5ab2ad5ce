"""The sandbox answer engine: what every platform answers if no credentials are set.

Markets are invented, and answers are stable.

How real platforms are asked is one level up; what is counted in an answer is in `answers/` and `metrics/`.

The same (domain, prompt, platform, country, day) gives the same bytes in every process. All randomness comes from
hashes of these five (`seeded_random`), none from clocks or process state.

The generative model
--------------------
A *market* (`market`) belongs to a domain: its brand, the competitors given by the user under exactly their names, and
invented ones up to 6 to 10 brands. A *cell* is (prompt, platform, country). On the log-odds scale a brand's strength in
a cell on a day is

    base + platform + topic + prompt + country + cell + drift(platform, day) + events(platform, day)

- base: the brand's strength in its market; the tracked brand is drawn around 0.4, rivals are spread from 0.7 to 0.25.
- platform, prompt, country, cell: fixed normal effects (`strength.SPREAD`); topic: +0.5 where the brand is strong and
  -0.5 where it is weak (price, ease, quality, support, choice).
- drift: a slow, mean-reverting walk per brand and platform, of two interpolated noises with knots every 28 and 9 days;
  a brand moves by about 15 points (one standard deviation) over eight weeks.
- events (`strength`): rare and known: a rival's launch, a drop of the brand on one platform, a platform's own update.

p = the logistic function of that sum, kept in 0.03 to 0.97. A prompt that names the brand has p = 0.97; one that names
only others has 0.55 p. `strength.mention_probability` gives p: it is exactly the probability that an answer of that
day, if there is one, names the brand.

The draw: every cell and brand has a uniform number per day, which is yesterday's with probability
`strength.PERSISTENCE`; the brand is named when it is below p. The marginal probability is therefore p on every day, and
consecutive days agree in about 65% of unbranded cells, as repeated questions to real platforms do. Rivals are drawn
alike; at least two are shown, so the weakest markets overstate the leaders a little.

What is said: every brand has a profile (`phrasebook`), four strengths and up to two weaknesses among the aspects of its
sector, which lasts for months and drifts slowly. Answers cite pages (`pages`) for the brands that
these pages name. Neither changes whether a brand is named, nor its place.

The form: once it is known whether the brand is named, one of `words/forms.toml` is drawn for the day (contrast,
discouraged, only cited, in a table, …). It never changes whether the brand is named. Google AI Overviews show nothing
for some cells and days (`strength.surface_probability`), independently of everything else.
"""
