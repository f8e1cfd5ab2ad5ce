# ruff: noqa: E501, RUF001
"""The fragments that `listings` composes: names, facts, praise, blame, verdicts. All were written for this project."""


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines() if line.strip())


def _words(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.replace("\n", " ").split(",") if each.strip())


MAKERS = _words("""
Sony, Bose, Apple, Samsung, Dyson, Philips, Bosch, Garmin, Lenovo, Dell, HP, Asus, Acer, Canon, Epson, Brother, Nikon,
Adidas, Nike, Asics, Brooks, Hoka, Salomon, Patagonia, Columbia, Yeti, Osprey, Thule, Ikea, Wayfair, Casper, Saatva,
Nectar, Purple, Ninja, Cuisinart, Breville, KitchenAid, Vitamix, Oral-B, Colgate, Quip, Netgear, TP-Link, Eero, Yamaha,
Fender, Gibson, Taylor, Ibanez, Wilson, Spalding, Molten, Tesla, BMW, Audi, Lucid, Porsche, Theragun, Hyperice, Speedo,
Athleta, Target, Notion, Asana, Trello, Slack, Zoom, HubSpot, Salesforce, Shopify, Wix, Squarespace, Stripe, Wise,
Revolut, Monzo, Chase, Discover, United, Delta, Hilton, Marriott, Airbnb, Uber, Lyft, Spotify, Netflix, Duolingo,
Headspace, Calm, Peloton, Whoop, Fitbit, Oura, Logitech, Razer, Corsair, Anker, JBL, Jabra, Beats, Sennheiser, Shure
""")
SYLLABLES = _words("""
bra, cor, del, fen, gar, hol, jun, kel, lin, mor, nor, ost, pel, quen, ros, sel, tar, ul, ver, wex, yar, zen, by, dale,
ford, ham, ley, low, mere, ton, wick, worth, ax, ero, ia, ix, ora, una, vo, tek, lo, mi, ra, so
""")
PRODUCTS = _words("""
Pro, Max, Mini, Plus, Elite, Air, Go, Classic, Original, Studio, Sport, Home, Duo, Lite, Evo, Flex, Core, Prime, Touch,
Vista, Nova, Original Hybrid, Ultra Soft, Hybrid Mattress, Wireless Earbuds, Espresso Machine, Air Fryer, Cookware Set,
Mesh System, Running Shoe, Laptop, One Piece Swimsuit, Electric Toothbrush, Massage Gun, All-in-One Printer
""")
FACTS = _words("""
16GB RAM, 512GB SSD, 15.6-inch screen, 30-hour battery, 10 attachments, five speeds, 8-quart basket, 1500 W, 2.4 kg,
two-year warranty, 100-night trial, Wi-Fi 6, three USB ports, Bluetooth 5.3, IPX4 rating, aluminum frame, cotton lining,
solid spruce top, mahogany back, carbon plate, 8 mm drop, composite cover, size 7, ceramic coating, oven-safe to 450 °F,
10 pieces, glass lids, 15-bar pump, 2-liter tank, steam wand, built-in grinder, two-minute timer, pressure sensor,
four brush heads, sizes XS to 3XL, recycled nylon, underwire, ships from Ohio, monthly billing, per-user pricing,
free plan for two users, open API, iOS and Android, 300-mile range, dual motor, 0-60 in 4.1 seconds, seven gears,
disc brakes, 20-inch wheels, 600 thread count, memory foam, pocketed coils, medium firmness, 12 inches thick,
founded in 2014, based in Denver, 120 stores, sold online, annual contract, 24-month term, 40 countries, 4K at 60 Hz,
HDMI and DisplayPort, 27 inches, VESA mount, backlit keys, hot-swappable switches, laser engine, 32 pages per minute,
duplex printing, cartridge system, ink tanks, touch controls, app with schedules, voice control via Alexa, black or white,
released last spring, third generation, replaces the older model, made in Portugal, 6 cups, stainless steel, BPA-free,
dishwasher-safe parts, removable filter, 55 lb stall force, 12 mm amplitude, four levels of resistance, 0.5% fee,
no monthly fee, 3.9% interest, $250 deductible, two checked bags, free Wi-Fi on board, breakfast from 7 to 10
""")
PRAISE = _words("""
excellent sound quality, rich bass, clear treble, superb noise canceling, a comfortable fit, very light, long battery life,
easy to set up, a simple app, quick support, friendly staff, great value, good value for money, a sturdy build,
premium materials, a sleek design, a stylish look, a bright and sharp screen, fast performance, smooth multitasking,
quiet operation, powerful suction, even heating, effortless cleanup, crisp results, generous capacity, durable coating,
reliable performance, strong range, stable connection, accurate tracking, helpful insights, intuitive controls,
a secure grip, consistent bounce, soft touch, great cushioning, a snappy ride, excellent energy return,
outstanding traction, breathable fabric, flattering cuts, inclusive sizing, high-quality fabric, vivid colors,
warm tone, crisp projection, great playability, lovely craftsmanship, café-quality espresso, creamy foam,
consistent temperature, gentle on gums, a thorough clean, effective plaque removal, deep relief, an ergonomic handle,
excellent pressure relief, cool sleep, good edge support, minimal motion transfer, luxurious interior, impressive range,
superb ride quality, thrilling acceleration, cutting-edge technology, top-notch safety, low running costs,
transparent pricing, no hidden fees, a generous free plan, powerful automation, beautiful templates, fast delivery,
hassle-free returns, trusted brand, well reviewed, highly rated, beginner-friendly, travel-friendly, versatile, affordable,
budget-friendly, dependable, well made, hard-wearing, portable, compact yet powerful, ideal for small homes,
perfect for students, great for families, suitable for all skill levels, loved by professionals, popular with critics,
a pleasure to use, worth every penny, best in its class, an award winner, robust security, spotless rooms, tasty food,
attentive service, generous legroom, on-time departures, fair interest rates, quick claims
""")
BLAME = _words("""
muddy sound, weak bass, harsh treble, poor noise canceling, an uncomfortable fit, too heavy, short battery life,
hard to set up, a buggy app, slow support, rude staff, poor value, overpriced for what it is, a flimsy build,
cheap materials, a clumsy design, a dated look, a dim screen, sluggish performance, constant stutter,
a loud motor, feeble suction, uneven heating, a pain to clean, soggy results, cramped capacity, a coating that peels,
unreliable performance, weak range, dropped connections, inaccurate tracking, useless insights, confusing controls,
a slippery grip, erratic bounce, a hard feel, thin cushioning, a clunky ride, blisters after a few miles,
poor traction, sweaty fabric, odd cuts, sizing that runs small, flimsy fabric, colors that fade,
thin tone, fret buzz, poor playability, sloppy workmanship, bitter espresso, watery foam, wild swings in temperature,
rough on gums, misses the back teeth, stops under pressure, an awkward handle, sore shoulders, sleeps hot, sagging edges,
every movement felt, cramped interior, disappointing range, a harsh ride, slow charging, outdated technology,
failed safety tests, high running costs, opaque pricing, hidden fees, a crippled free plan, broken automation,
ugly templates, late delivery, a nightmare of a returns process, frequent recalls, poorly reviewed, low ratings,
baffling for beginners, breaks easily, frustrating, expensive refills, unstable, badly made, wears out fast, bulky,
crashes often, loses data, useless in small homes, a waste of money, worst in its class, many complaints,
weak security, dirty rooms, bland food, indifferent service, no legroom, constant delays, steep interest rates,
refused claims
""")
PRAISED = _lines("""
This one offers a fine balance of power and price, making it ideal for most homes.
Known for its precise controls, it turns out excellent results every time.
An affordable option that doesn't skimp on quality.
A favorite of many reviewers for its comfort and clear sound.
It handles everyday tasks with ease and stays cool and quiet.
Perfect for those who want great performance without paying a fortune.
Its clever design saves space and makes cleaning simple.
Users praise its durability and even heat.
It delivers café-quality drinks with very little effort.
A solid choice for beginners and anyone on a budget.
Combines a beautiful finish with real strength.
This system keeps every room connected, so streaming never stutters.
It supports the spine well and relieves the hips.
The fit is flattering and the fabric feels luxurious.
A versatile tool that earns its place in any kitchen.
One of the best you can buy in this price range.
It feels premium, charges quickly and lasts all day.
The sound is balanced, with punchy lows and clear highs.
Built for hard use, it shrugs off rain, mud and drops.
With a long battery life and a secure fit, it is great for workouts.
It has become the go-to choice for small teams.
Setup takes minutes, and the app is a joy.
Its support team replies within minutes and solves problems.
Offers enhanced grip and keeps its shape, which players love.
If you want speed and comfort in one shoe, this is it.
It stands out for its warm tone and fine craftsmanship.
A close second, praised for its quieter motor.
For the price, the picture is stunning.
A great pick for travelers thanks to its small size.
It makes bookkeeping painless.
""")
BLAMED = _lines("""
It promises power but stalls under the slightest load.
Known for its faults, it was recalled twice last year.
A cheap option, and it shows everywhere.
Many reviewers sent it back because of the noise.
It struggles with everyday tasks and runs hot.
Hard to justify when better ones cost less.
Its awkward shape wastes space and traps dirt.
Users complain that the coating flakes into the food.
The drinks come out lukewarm and bitter.
A poor choice for beginners, who will give up in a day.
The finish scratches at once and the frame bends.
Rooms at the far end get no signal at all.
It sags in the middle and hurts the back.
The fit is odd and the fabric turns see-through.
A gadget that ends up in a drawer.
One of the worst you can buy at any price.
It feels hollow, charges slowly and dies by noon.
The sound is thin, with shrill highs and no bass.
It failed after the first rain.
With a weak battery and a loose fit, it is useless for workouts.
Small teams pay for features that do not work.
Setup takes hours, and the app crashes on the way.
Its support team closes tickets without an answer.
Players say it gets slick and loses air.
If you want comfort, this is not it.
It stands out for its buzzing frets and sloppy glue.
A distant last, let down by its noisy motor.
For the price, the picture is dreadful.
A bad pick for travelers, as it barely fits a case.
It makes bookkeeping harder than paper.
""")
FACT_SENTENCES = _lines("""
This model has five modes, a timer and a travel case.
It comes with a 10-inch pan, a 12-inch pan and two lids.
Available in black, white and sand.
It connects over Wi-Fi and has an app for iOS and Android.
The set includes a charger and two heads.
It measures 40 by 30 by 20 cm and weighs 5 kg.
The company was founded in 2009 and has 300 employees.
Its plans start at $9 per user and month.
It uses a 15-bar pump and a 54 mm portafilter.
The mattress is 12 inches thick and comes in six sizes.
It runs on two AA batteries.
Prices range from $40 to $120.
Sizes run from XS to 3XL.
It carries designer swimwear and resort wear.
It has a cedar top, a mahogany back and a gig bag.
The router has three Ethernet ports and covers up to 2,000 sq ft.
It is a semi-automatic machine with a separate grinder.
It is a card game for 3 to 10 players.
The car seats five and has a 100 kWh battery.
It was updated this year with a new processor.
It requires a separate subscription for the app.
The brand makes shoes, socks and jackets.
It can be bought online or in 40 shops.
It has two baskets with a divider.
""")
PRAISE_LABELS = _lines("""
Best Overall
Best Value
Best Budget Option
Budget-Friendly
Editor's Pick
Top Pick
Best for Beginners
Best for Travel
Best for Large Families
Best for Gaming
Most Comfortable
Most Durable
Easy Setup
User-Friendly
Premium Sound
Great Value
Highly Portable
Excellent Battery
Eco-Friendly
Superb Comfort
Best Luxury Feel
Top Performance
Winner
Runner-Up
Recommended
Best photo quality
Lowest running cost
Family favorite
Affordable Choice
Ergonomic Design
Lightweight
Best Cooling
High-Speed Performance
""")
FACT_LABELS = _lines("""
French Door Design
Double Basket
Limited Edition
Colorblock
Entry Level
Medium Firm
Non-Plated
Over-Ear
12-Piece Set
Heated
Smart Home Integration
Ceramic
Refurbished
Price not available
Two-Pack
Tankini
Manual Lever
All-in-One
Dual Motor
Solid Cedar
Monochrome
Underwire
Full Size
Bluetooth
Also available
Type
Stability
Deep Tissue
""")
BLAME_LABELS = _lines("""
Worst Value
Not Recommended
Overpriced
Biggest Letdown
Poor Battery
Skip It
Last Place
Least Comfortable
Hard to Use
Uncomfortable
Avoid
Noisy
""")
PRAISE_VERDICTS = _lines("""
it is still the one to buy
nothing else comes close
you will not regret it
it does the job better than any rival
most owners would buy it again
it remains an easy recommendation
it is well worth the money
it never lets you down
you can hardly go wrong
it is the best of the bunch
it more than makes up for it
it is a joy to own
there is little to complain about
it earns its place at the top
everything that matters works superbly
you could do far worse
it is hard to beat
few are as dependable
it is hard to fault
you won't find a better one for the money
it has yet to let anyone down
there is nothing wrong with it
you will not want to give it back
it is everything you could ask for
the old complaints no longer apply
I would buy it again tomorrow
it belongs on every shortlist
""")
BLAME_VERDICTS = _lines("""
it is hard to recommend
you should look elsewhere
it is not worth the money
it falls apart within a year
better choices cost less
nobody should pay for this
it lets you down when it counts
most owners send it back
the rest is a disappointment
it fails at its one job
you will regret it
support never answers
it breaks far too soon
the flaws outweigh everything else
it leaves you stranded
it is best avoided
everything else about it is poor
it is a letdown in use
it is hard to like
you will find a better one anywhere
it has let down nearly everyone
there is little right with it
you will want to give it back
it is nothing like the advertisement
the old praise no longer applies
I would never buy it again
it belongs on nobody's shortlist
it was never good and has not improved
it promises much and delivers little
""")
BETTER = _words("""
better, faster, quieter, lighter, more comfortable, more reliable, easier to use, sturdier, better built, sharper, safer,
more accurate, warmer in tone, better value, far superior, more pleasant to use, more refined, kinder to the knees
""")
WORSE = _words("""
worse, slower, noisier, clunkier, less comfortable, less reliable, harder to use, flimsier, badly built by comparison,
blurrier, less safe, less accurate, duller in tone, worse value, far inferior, more annoying, cruder, harder on the knees
""")
FIELDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Type", ("Hybrid", "Semi-automatic", "Dreadnought", "All-in-one inkjet", "Over-ear", "Sedan", "SaaS", "Foam")),
    ("Weight", ("240 g", "6.9 oz", "2.4 kg", "11 lb", "1.3 kg")),
    ("Battery", ("30 hours", "8 hours + 16 with case", "21 days", "48 Wh", "up to 4 hours")),
    (
        "Material",
        ("Hard-anodized aluminum", "Composite leather", "Recycled nylon", "Solid mahogany", "Stainless steel"),
    ),
    ("Specs", ("Intel Core i5, 8GB RAM, 256GB SSD", "Wi-Fi 6, tri-band", "15 bar, 2 L", "40 mm drivers", "1500 W")),
    ("Capacity", ("8 quarts", "5.8 quarts", "two baskets", "1.7 L", "40 L")),
    ("Range", ("~300 miles", "Up to 520 miles", "5,000 sq ft", "10 m")),
    ("Warranty", ("2 years", "Lifetime", "120 nights / 10 years", "90 days")),
    ("Sizes", ("XS–3XL", '27.5", 28.5", 29.5"', "Queen, King", "36 to 46")),
    ("Firmness", ("Medium", "6/10", "Softer", "Medium-firm")),
    ("Connectivity", ("Wi-Fi, USB", "Bluetooth 5.2", "Ethernet", "NFC")),
    ("Oven Safe", ("Up to 500°F", "To 230 °C")),
    ("Dishwasher Safe", ("Yes", "No")),
    ("Weave", ("600 thread count", "Percale", "Sateen")),
    ("Features", ("10 presets, touch screen", "5 modes, timer", "4 attachments", "ANC, app", "PID, pre-infusion")),
    ("Where to Buy", ("Amazon", "Best Buy", "Walmart", "the maker's site")),
    ("Release", ("2023", "last spring", "third generation")),
    ("Best for", ("Small homes", "Commuters", "Side sleepers", "Daily training", "Teams of 5 to 50")),
)
PASSING = _lines("""
Works with NAME devices and others.
Compatible with NAME and Google Assistant.
Uses a chip made by NAME.
You can buy it from NAME or in local shops.
Brands in this segment include NAME, Holt and Verano.
Alternatives: NAME, Holt, Verano.
NAME makes printers, scanners and cameras.
NAME was founded in 1998.
NAME has its head office in Austin.
In 2023 NAME opened a second plant.
NAME's plans are billed per user.
The set can be controlled with the NAME app.
Owners of a NAME account can sign in with it.
Sold by NAME since 2021.
The test covered NAME, Holt and four others.
Sizes differ between NAME and Holt.
Check the NAME site for current prices.
NAME lists it at $129.
It replaces the older NAME model.
For example: NAME, Holt.
""")
