"""Whether a name means the brand or an ordinary word: evidence for and against, scored in points.

Two points are needed:

+2  the domain form or an owned link in the sentence; a list head, a bold head, a heading, a table cell
+1  a capital inside a sentence; a word of the category among eight; another name in the sentence; "X's", "by X"
-2  lower case; a known other sense ("on Monday", "the notion that", "target audience")

Further rules come from real answers. A name that is only a rare word begins with one point. An acronym in capitals, a
company's verb ("X offers") and a verb of choosing ("try X") give one each. What is sold gives two after a name ("X
Electric Toothbrush"). Two names that open sentences of one paragraph, as in comparisons, give two. An acronym that the
answer spells out, and a unit ("300 HP"), cost two. Once an answer has clearly named the brand, one point is enough
elsewhere in it. Another name is a word that belongs to names alone, tracked or not: what is read of a brand does not
depend on the competitors.

A name that no list of words has needs two points, too, where the brand writes it with a capital and the answer does
not ("the acme of perfection"). Lower case takes nothing off then, nor from a brand that writes itself so. A place where
an ordinary word would have a capital and the title of a product give two points. Once one place in lower case is clear,
all of them are. Case says nothing in an answer without capitals, or about a name that the prompt writes in lower case.

`scorer` adds up the points; `layout`, `neighbors`, `wording` and `other_senses` find one kind of evidence each. Where
names occur in an answer is found in `answers/mentions`.
"""
