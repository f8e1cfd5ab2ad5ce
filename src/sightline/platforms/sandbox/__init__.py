"""The sandbox answer engine: what every platform answers if no credentials are set.

Markets are invented, and answers are stable: the same (domain, prompt, platform, country, day) gives the same bytes in
every process. All randomness comes from hashes of these five (`seeded_random`), none from clocks or process state.

`market` invents the brands of a domain, `prompts` finds what a question asks for, `strength` has the probability that a
brand is named, `plan` draws who is named and in which form, and `writing` and `answers` write it in the words of
`phrasebook`, with citations of `pages`. `docs/reference/sandbox.md` has the generative model.

How real platforms are asked is one level up; what is counted in an answer is in `answers/` and `metrics/`.
"""
