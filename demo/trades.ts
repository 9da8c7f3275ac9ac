import type { SceneName } from './scenes.ts';

/** The texts of the businesses of one trade. `{name}`, `{town}` and `{owner}` are placeholders for those of the business. */
export interface Trade {
  word: string;
  names: readonly string[];
  look: { theme: 'business' | 'portfolio' | 'typographic'; accents: readonly string[] };
  headlines: readonly string[];
  leads: readonly string[];
  /** The name of the page that lists them. */
  offer: string;
  services: ReadonlyArray<readonly [name: string, text: string, price: string]>;
  about: readonly string[];
  quotes: readonly string[];
  hours: readonly string[];
  pictures: ReadonlyArray<readonly [scene: SceneName, caption: string]>;
}

export const trades: readonly Trade[] = [
  {
    word: 'bakery',
    names: [
      '{last} Bakery',
      'The {town} Bakehouse',
      '{last} & Daughters Bakers',
      '{first}’s Bread',
      'The Old Oven {town}',
    ],
    look: { theme: 'business', accents: ['#b4532a', '#8a4b16', '#a63d40', '#7a5c2e'] },
    headlines: ['Bread with time in it', 'Good bread, every morning', 'Baked at four, gone by noon'],
    leads: [
      'Sourdough, rolls and cakes from {town}, made by hand from flour that is milled nine miles away.',
      'Our dough rests for a day and a night. You taste it, and your stomach thanks you.',
      'A small bakery in {town} with a large oven, and somebody at it since four in the morning.',
    ],
    offer: 'Our bread',
    services: [
      ['Country sourdough', 'Wheat and a little rye, a dark crust, an open crumb. It keeps for five days.', '£4.20'],
      ['Rye with walnuts', 'Dense and moist, for cheese and for people who like to chew.', '£4.80'],
      [
        'Morning rolls',
        'Crisp from six o’clock. Order a bag by five the evening before, and it hangs on your door.',
        '£0.70',
      ],
      ['Cinnamon knots', 'Butter, cinnamon and cardamom. On Fridays and Saturdays only.', '£2.60'],
      ['Cakes to order', 'For birthdays, weddings and Sundays. Tell us three days ahead.', 'from £28'],
    ],
    about: [
      '{owner} learned to bake in a village where nobody owned a clock: the bread was ready when the street smelled of it. In 2014 the old oven of {town} stood empty, and so we began.',
      'We are five people and a sourdough culture that is older than two of us. There are no mixes in our storeroom: flour, water, salt, time.',
    ],
    quotes: ['I have stopped buying bread for the freezer. There is never any left.', 'Worth getting up for.'],
    hours: [
      'Tuesday to Friday, 6 am to 5 pm',
      'Tuesday to Saturday, 6:30 am to 2 pm',
      'Wednesday to Sunday, 7 am to 4 pm',
    ],
    pictures: [
      ['loaves', 'Out of the oven at half past five'],
      ['shopfront', 'Our shop in the high street'],
      ['grain', 'Where our flour grows'],
    ],
  },
  {
    word: 'plumber',
    names: ['{last} Plumbing & Heating', '{last} & Sons Plumbers', '{town} Heating', '{first} {last} Plumbing'],
    look: { theme: 'business', accents: ['#1f5fbf', '#0a6c8f', '#27548a', '#2f6690'] },
    headlines: ['Warm rooms, dry floors', 'We come when we say', 'Plumbing without the puddle'],
    leads: [
      'Heating, bathrooms and leaks in {town} and twenty miles around. A person answers the telephone.',
      'You get a price before we begin, a clean floor when we leave, and ten years on every joint.',
      'Family business, gas-safe, and at your door within two hours when it drips.',
    ],
    offer: 'Services',
    services: [
      [
        'Repairs and leaks',
        'Taps, pipes, cisterns, boilers. We carry the hundred parts that break most often.',
        'from £65',
      ],
      ['Bathrooms', 'From the drawing to the last tile: one team, one price, two weeks.', 'from £4,900'],
      ['Boiler service', 'Once a year, with a report that your insurer accepts.', '£89'],
      ['Heat pumps', 'We measure your house first and tell you honestly if it is worth it.', 'by quotation'],
      ['Drains', 'Camera, jet, and the root that caused it.', 'from £95'],
    ],
    about: [
      '{owner} took over the van and the telephone number in 2009. Both are still in use; the van has had a new engine.',
      'Six fitters, two apprentices and {owner}, who still does the first visit. We write down what we find and what it costs, and then you decide.',
    ],
    quotes: [
      'He took his boots off. I have told everybody.',
      'Quoted on Monday, finished on Thursday, cost what he said.',
    ],
    hours: ['Monday to Friday, 7 am to 5 pm; emergencies at any time', 'Monday to Saturday, 7:30 am to 4 pm'],
    pictures: [
      ['pipes', 'Copper, soldered and pressure-tested'],
      ['bathroom', 'A bathroom in two weeks'],
      ['tools', 'Everything has its place in the van'],
    ],
  },
  {
    word: 'yoga studio',
    names: ['Yoga {town}', '{first} {last} Yoga', 'The Quiet Room {town}', 'Studio {last}', 'Still Water Yoga {town}'],
    look: { theme: 'portfolio', accents: ['#5d7a5b', '#7d5a7a', '#3f7d78', '#a8623f'] },
    headlines: ['An hour for yourself', 'Come as you are', 'Breathe out first'],
    leads: [
      'Small classes above the roofs of {town}, for people who have never stood on a mat and for those who live on one.',
      'Hatha, yin and a slow flow: twelve mats, one teacher, and tea afterwards.',
      'Yoga in {town} without mirrors and without hurry. The first class is on us.',
    ],
    offer: 'Classes',
    services: [
      ['Beginners', 'Six Mondays for the basics: standing, breathing, lying down properly.', '£72 for six'],
      ['Slow flow', 'Seventy-five minutes in a quiet rhythm, every weekday evening.', '£14'],
      ['Yin by candlelight', 'Few poses, held long. Bring socks.', '£14'],
      ['Before the baby', 'From the fourteenth week, with a midwife.', '£16'],
      ['One to one', 'For backs, shoulders and particular questions.', '£55'],
    ],
    about: [
      '{owner} sat at a desk for eleven years, until a bad back made the decision. After training in Mysore and Bristol, the studio opened in 2017.',
      'There are three of us, and none of us can do the splits. We believe in small classes, warm floors and jokes.',
    ],
    quotes: ['The only hour of my week in which nobody wants anything.', 'I came for my back and stayed for the tea.'],
    hours: ['Monday to Friday, 7 to 9 am and 5 to 9 pm', 'Daily, see the timetable'],
    pictures: [
      ['mats', 'Twelve mats, north light'],
      ['sunrise', 'Our retreat, every May'],
      ['stones', 'Slower than you think'],
    ],
  },
  {
    word: 'law office',
    names: [
      '{last} Solicitors',
      '{last} & {town} Law',
      '{first} {last}, Solicitor',
      'Chambers of {last}',
      '{last} Legal',
    ],
    look: { theme: 'typographic', accents: ['#1f3a5f', '#5b2333', '#2d4a3e', '#3d3a5c'] },
    headlines: ['Clear advice, in plain words', 'On your side, in writing', 'First we listen'],
    leads: [
      'Property, families and small companies in {town}. You will know what it costs before it costs anything.',
      'We answer within a working day, and in sentences that you can read to somebody else.',
      'A law office of four in the middle of {town}, with the door open on Thursdays until eight.',
    ],
    offer: 'What we do',
    services: [
      ['Wills and probate', 'An hour, a draft, a signature. We keep it in our safe.', 'from £220'],
      ['Buying a home', 'Searches, contracts, completion, and a telephone that is answered on the day.', 'from £950'],
      ['Separation', 'We settle nine of ten without a court. For the tenth we have Ms Hale.', 'by the hour'],
      [
        'Small companies',
        'Articles, contracts, leases and the letter that you would rather not write yourself.',
        'from £180',
      ],
      ['Employment', 'For both sides of the table, never at once.', 'by the hour'],
    ],
    about: [
      '{owner} opened the office in 2006, after ten years in a firm with four hundred lawyers and no windows that open.',
      'Two solicitors, a clerk who knows every registry in the county, and a dog. We take the cases that we would want taken for us.',
    ],
    quotes: [
      'I understood every letter. That had never happened to me.',
      'They advised me not to sue. It was the best advice of the year.',
    ],
    hours: [
      'Monday to Friday, 9 am to 5 pm; Thursday until 8 pm',
      'Monday to Thursday, 9 am to 5 pm; Friday by appointment',
    ],
    pictures: [
      ['books', 'The library. Most of it is online now'],
      ['facade', 'The house from 1788'],
      ['desk', 'Where we listen'],
    ],
  },
  {
    word: 'café',
    names: ['Café {last}', 'The {town} Coffee Room', '{first} & Friends', 'Corner Café {town}', 'Two Cups {town}'],
    look: { theme: 'portfolio', accents: ['#6b4226', '#9c4a1a', '#386150', '#b0413e'] },
    headlines: ['Coffee, cake, newspapers', 'Stay as long as you like', 'The good corner of {town}'],
    leads: [
      'Beans from three farms, roasted on Tuesdays; cakes from the kitchen behind the counter.',
      'Breakfast until three. Dogs, prams and muddy boots are welcome.',
      'Twenty-two seats, one machine from 1961, and the best light in {town}.',
    ],
    offer: 'The card',
    services: [
      ['Flat white', 'Two ristretti and velvet. With oat, if you like.', '£3.40'],
      ['Filter of the week', 'Brewed by the cup. Ask where it comes from, and you will be told.', '£3.80'],
      ['Eggs on sourdough', 'Two eggs from Hollow Farm, chives, and bread from across the street.', '£8.50'],
      ['Carrot cake', 'The recipe is our grandmother’s. No, we do not sell it.', '£4.20'],
      ['Soup at noon', 'One pot a day. When it is gone, it is gone.', '£6.90'],
    ],
    about: [
      '{owner} rented a butcher’s shop in 2018 and kept the tiles. The hooks hold the cups now.',
      'We are four in the kitchen and at the bar, and we take turns with the music.',
    ],
    quotes: ['I wrote a whole dissertation at table four.', 'The carrot cake has a waiting list, and rightly so.'],
    hours: ['Daily, 8 am to 6 pm', 'Tuesday to Sunday, 8:30 am to 5 pm'],
    pictures: [
      ['cup', 'The first of the day'],
      ['shopfront', 'Two tables in the sun'],
      ['loaves', 'Bread from across the street'],
    ],
  },
  {
    word: 'florist',
    names: ['{last} Flowers', 'Wild & {last}', 'The {town} Flower Barrow', '{first} in Bloom', 'Stem {town}'],
    look: { theme: 'portfolio', accents: ['#a63a6b', '#4f7942', '#8e4585', '#c1543c'] },
    headlines: ['Flowers with mud on them', 'Cut this morning', 'What is in bloom now'],
    leads: [
      'Bouquets from our own field behind {town}, from March to November. In winter we bind wreaths.',
      'Weddings, funerals and Tuesdays: we bind what is in season, and it lasts.',
      'No aeroplanes: every stem in our shop has grown within forty miles of {town}.',
    ],
    offer: 'Bouquets',
    services: [
      ['The small one', 'For a kitchen table. What was most beautiful at six this morning.', '£18'],
      ['The large one', 'For saying something. Bound to last a week and a half.', '£45'],
      ['Weddings', 'Bouquet, buttonholes, tables, arch. We visit the place with you.', 'from £650'],
      ['Farewells', 'Wreaths and sprays. We talk to the undertaker, so that you need not.', 'from £70'],
      ['A subscription', 'Every Friday, or every other one, at your door or your office.', '£20 a week'],
    ],
    about: [
      '{owner} was a bookkeeper with an allotment. Then the allotment won.',
      'We grow a hundred and twenty varieties on two acres and buy the rest from people whom we know by name.',
    ],
    quotes: [
      'They still looked fresh when the thank-you cards were written.',
      'It smelled like my grandmother’s garden.',
    ],
    hours: ['Tuesday to Saturday, 8 am to 5 pm', 'Monday to Saturday, 9 am to 6 pm'],
    pictures: [
      ['flowers', 'Dahlias, from August on'],
      ['meadow', 'The field behind the houses'],
      ['shopfront', 'The shop, before the rain'],
    ],
  },
  {
    word: 'joiner',
    names: [
      '{last} Joinery',
      '{last} & Son, Joiners',
      'Oak & {last}',
      'The {town} Workshop',
      '{first} {last} Furniture',
    ],
    look: { theme: 'business', accents: ['#7b4b1d', '#3b5d50', '#94552b', '#40513b'] },
    headlines: ['Made to stay', 'Tables for grandchildren', 'Wood, worked properly'],
    leads: [
      'Kitchens, stairs and tables of English oak, drawn and made in our workshop in {town}.',
      'We measure twice, and come a third time if you are not sure.',
      'One piece at a time. Each has its maker’s name underneath.',
    ],
    offer: 'Work',
    services: [
      ['Kitchens', 'Solid doors, dovetailed drawers, and hinges that outlive the house.', 'from £9,800'],
      ['Tables', 'From four to fourteen people, in oak, ash or elm.', 'from £1,900'],
      ['Stairs', 'Measured, built and fitted in a week. You sleep upstairs every night.', 'from £5,400'],
      ['Windows', 'Sashes that slide again, with double glazing that nobody notices.', 'from £780'],
      ['Repairs', 'Grandmother’s chair. We know it, and it can be mended.', 'from £60'],
    ],
    about: [
      '{owner} learned on church roofs. A table is smaller, but people look at it from nearer.',
      'Four benches, one bandsaw, no veneer. We buy whole trunks and dry them for as long as they need.',
    ],
    quotes: [
      'Our children do their homework on it. It already looks better than on the first day.',
      'They came back after a year to see how it was doing.',
    ],
    hours: ['Monday to Friday, 7:30 am to 4:30 pm', 'Monday to Friday, 8 am to 5 pm; Saturday by appointment'],
    pictures: [
      ['planks', 'Oak, in its fourth year'],
      ['table', 'A table for ten'],
      ['tools', 'Above the bench'],
    ],
  },
  {
    word: 'guesthouse',
    names: ['{last} House {town}', 'The {town} Inn', 'Farm {last}', '{town} View Guesthouse', 'The Hayloft {town}'],
    look: { theme: 'business', accents: ['#2f6f5e', '#2a5d84', '#87632d', '#5b6b2f'] },
    headlines: ['Seven rooms and a view', 'Sleep where it is dark', 'Open the window'],
    leads: [
      'A farmhouse above {town} with seven rooms, a long breakfast and paths from the door.',
      'Twenty minutes from the station, and you hear nothing but sheep.',
      'Arrive on Friday, forget the date by Saturday.',
    ],
    offer: 'Rooms',
    services: [
      ['The hayloft', 'Under the beams, with a window onto the stars. For two.', '£118 a night'],
      ['The dairy', 'Ground floor, step-free, its own terrace. For two, and a dog.', '£126 a night'],
      ['The family rooms', 'Two rooms, one door between them, four beds.', '£164 a night'],
      ['Breakfast', 'Eggs, bacon, mushrooms, or porridge with our honey. Until half past ten.', 'included'],
      ['Supper', 'Three courses, one table, twice a week.', '£32'],
    ],
    about: [
      'The house was built in 1832 by a {last} who had twelve children. {owner} has turned the rooms into seven.',
      'We came for a weekend in 2011. The sheep are our neighbours’, the bees are ours.',
    ],
    quotes: ['We slept for ten hours. With two children.', 'The honey alone is worth the journey.'],
    hours: ['Arrival from 3 pm, departure until 11 am', 'Open from March to November'],
    pictures: [
      ['sunrise', 'From the hayloft, at six'],
      ['room', 'The dairy'],
      ['lake', 'Twenty minutes on foot'],
    ],
  },
  {
    word: 'photographer',
    names: ['{first} {last} Photography', 'Studio {last} {town}', '{last} Pictures', 'Light by {first}'],
    look: { theme: 'portfolio', accents: ['#333f48', '#8c2f39', '#1d5c63', '#6d597a'] },
    headlines: ['Pictures that you keep', 'Quiet photographs', 'People, as they are'],
    leads: [
      'Weddings, families and places, mostly in {town}, always with the light that is there.',
      'I bring two lenses and a lot of patience.',
      'No poses, no props. You forget that I am there, and then it begins.',
    ],
    offer: 'Work',
    services: [
      ['Families', 'An hour outdoors, in the last light. Twenty pictures.', '£240'],
      ['Weddings', 'From the buttons to the last dance: 500 pictures, one album.', 'from £1,650'],
      ['Portraits', 'For websites, books and the wall in the hall.', '£180'],
      ['Interiors', 'For hotels, architects and people who sell well.', 'from £420'],
      ['Prints', 'On cotton paper, signed. They will outlive both of us.', 'from £65'],
    ],
    about: [
      '{owner} has photographed for newspapers for twelve years, where one learns to wait and to be quick.',
      'I live in {town} with two children who refuse to be photographed.',
    ],
    quotes: ['We found pictures of moments that we had not noticed ourselves.', 'My mother looks like my mother.'],
    hours: ['By appointment', 'The studio is open on Fridays, 10 am to 4 pm'],
    pictures: [
      ['lake', 'October, before the wind'],
      ['bokeh', 'The last dance'],
      ['meadow', 'Four minutes of sun'],
    ],
  },
  {
    word: 'bicycle shop',
    names: ['{last} Cycles', 'The {town} Bike Shed', '{first}’s Wheels', 'Spoke & {last}', 'Freewheel {town}'],
    look: { theme: 'business', accents: ['#c8451b', '#14746f', '#2b59c3', '#b5179e'] },
    headlines: ['Keep rolling', 'Repaired by tomorrow', 'Bicycles for every day'],
    leads: [
      'New and used bicycles, and a workshop that mends all of them, also those that were bought elsewhere.',
      'Brought in the morning, ridden home in the evening: that is our rule for eight of ten repairs.',
      'City, cargo, gravel and the one from your uncle: {town} rides to us.',
    ],
    offer: 'Workshop',
    services: [
      ['Puncture', 'While you wait, with a cup of tea.', '£14'],
      ['The service', 'Brakes, gears, bearings, wheels, a ride around the block.', '£65'],
      ['The large service', 'Apart, clean, together again. Like new, and we mean it.', '£140'],
      ['Used bicycles', 'Inspected, with a year of warranty.', 'from £180'],
      ['Cargo bikes', 'Take one for a weekend, with your children in it, before you decide.', '£40 a weekend'],
    ],
    about: [
      '{owner} began with a trolley of tools at the Saturday market. The market is still there, and so are we.',
      'Three mechanics with nine bicycles between them. We sell what we would ride.',
    ],
    quotes: ['They told me that I did not need a new one.', 'My 1984 Raleigh is faster than I am again.'],
    hours: ['Tuesday to Saturday, 9 am to 6 pm', 'Monday to Friday, 8 am to 6 pm; Saturday until 2 pm'],
    pictures: [
      ['bicycle', 'Ready to be fetched'],
      ['tools', 'The wall'],
      ['sunrise', 'Our ride on Sundays, from the shop'],
    ],
  },
  {
    word: 'dental practice',
    names: ['{last} Dental Care', '{town} Dental Practice', 'Dr {last}, Dentist', 'The Tooth House {town}'],
    look: { theme: 'business', accents: ['#0a7d8c', '#3a7ca5', '#4c8c72', '#5a6fb0'] },
    headlines: ['Gently does it', 'Good teeth, calm patients', 'We explain first'],
    leads: [
      'A practice for all ages in {town}, with time in the calendar for people who are afraid.',
      'You wait for ten minutes at most. If it is longer, the tea is on us; it is anyway.',
      'Check-ups, fillings, crowns, and a hygienist whom children ask for by name.',
    ],
    offer: 'Treatments',
    services: [
      ['Check-up', 'Every six months: twenty minutes, pictures included.', '£48'],
      ['Hygiene', 'Clean, polished, and a word about the floss.', '£62'],
      ['Fillings', 'White, durable, and numb before anything happens.', 'from £95'],
      ['Crowns', 'Made here, in two visits.', 'from £520'],
      ['For the anxious', 'First visit without any instrument. Just a chair and a conversation.', 'free'],
    ],
    about: [
      '{owner} used to be an anxious patient. That is why the waiting room has no smell and the drill has no noise.',
      'Two dentists, two hygienists and a receptionist who remembers your holidays.',
    ],
    quotes: ['I fell asleep. At the dentist.', 'My son wants to go back. He is four.'],
    hours: ['Monday to Friday, 8 am to 6 pm', 'Monday to Thursday, 8 am to 5 pm; Friday until 1 pm'],
    pictures: [
      ['desk', 'Where we talk first'],
      ['facade', 'On the square, second floor, with a lift'],
      ['stones', 'In the waiting room'],
    ],
  },
  {
    word: 'garden designer',
    names: ['{last} Gardens', '{first} {last} Landscapes', 'Green {town}', '{last} & Hedges', 'The {town} Gardeners'],
    look: { theme: 'typographic', accents: ['#3c6e3f', '#6b705c', '#4a7c59', '#7f6a3c'] },
    headlines: ['Gardens that grow with you', 'From mud to meadow', 'Sit down in it'],
    leads: [
      'We draw, plant and look after gardens around {town}: small yards, long borders, whole meadows.',
      'A garden is finished when you have a favourite place in it. We start there.',
      'Less lawn, more life: planted once, beautiful in all four seasons.',
    ],
    offer: 'What we do',
    services: [
      ['Meadows', 'Cut once a year. We bring the scythe.', 'from £650'],
      ['Planting', 'In autumn, when the ground is warm and the plants are cheap.', 'from £35 a square metre'],
      ['Looking after it', 'A day a month, with the same two people.', '£260 a day'],
      ['The drawing', 'Two visits, one plan, and a list of plants with their reasons.', '£480'],
      ['Paths and walls', 'Dry stone, brick, gravel. Nothing that needs a pressure washer.', 'by quotation'],
    ],
    about: [
      '{owner} studied architecture, until the plants around the models became more interesting than the models.',
      'Five gardeners, one van, a glasshouse full of seedlings. We never plant what we would not water ourselves.',
    ],
    quotes: ['There are hedgehogs now.', 'We eat outside from April to October. We used not to have chairs.'],
    hours: ['Monday to Friday, 7 am to 4 pm', 'By appointment, in any weather'],
    pictures: [
      ['meadow', 'The second summer'],
      ['flowers', 'A border for late August'],
      ['sunrise', 'Before the team arrives'],
    ],
  },
];
