import type { Random } from './random.ts';
import { type Trade, trades } from './trades.ts';

/** A customer of the demo's agency. */
export interface Business {
  name: string;
  subdomain: string;
  town: string;
  trade: Trade;
  /** True for the first business of a trade that has a site. That site shows everything. */
  isShowpiece: boolean;
  owner: string;
  email: string;
  colleague: string;
  phone: string;
}

export const firstNames =
  'Alice Amir Anna Ben Bridget Callum Carla Chloe Daniel Diana Edith Elena Emeka Esme Fatima Felix Fiona George Grace Hana Hugo Ines Isla Jacob Joanna Kamal Kate Leo Lucia Marcus Mei Nadia Niamh Oliver Owen Petra Priya Quentin Rachel Rosa Samuel Sara Tariq Tess Tom Uma Victor Wanda Yusuf Zoe'.split(
    ' ',
  );
const lastNames =
  'Abbott Ashworth Barlow Bell Bennett Birch Blake Boateng Calder Carver Chandra Clarke Cole Coombes Dalton Dawson Drake Ellery Farrow Fenwick Finch Fletcher Garland Gibbs Greer Hale Harrow Hart Hollis Hughes Iqbal Jarvis Kaur Keane Kellaway Lacey Lindqvist Lowe Marsh Mercer Moreno Nash Novak Okafor Osborne Page Pascoe Patel Penrose Quinn Radley Reeve Rossi Rowan Sato Sharp Stone Sutton Thorne Underhill Vance Wells Whitby Winter Woods Yates'.split(
    ' ',
  );
export const towns =
  'Alderbrook Ashcombe Barrowford Beckside Bramley Brookfield Castleford Coldwater Dunmere Eastwold Elmstead Fairhaven Foxley Glenmoor Hartwell Hazelden Kingsmere Larkhill Longbridge Marlow Millbrook Netherby Northgate Oakham Penmarsh Ravensby Rosedale Saltmarsh Stonebury Thornbury Underwood Wexcombe Whitmoor Willowby'.split(
    ' ',
  );

/** Yields businesses without end. Each has a different name; trades take turns. */
export function* inventBusinesses(random: Random): Generator<Business> {
  const taken = new Set<string>();
  for (let index = 0; ; ) {
    const trade = trades[index % trades.length]!;
    const [first, last, town] = [random.pick(firstNames), random.pick(lastNames), random.pick(towns)];
    const pattern = random.pick(trade.names);
    const name = pattern.replace('{last}', last).replace('{first}', first).replace('{town}', town);
    const subdomain = slug(name);
    if (taken.has(subdomain)) continue;
    taken.add(subdomain);
    yield {
      name,
      subdomain,
      town,
      trade,
      isShowpiece: false,
      owner: `${first} ${last}`,
      email: `${slug(first)}@${subdomain}.example`,
      colleague: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
      // Numbers reserved for drama: https://www.ofcom.org.uk/phones-and-broadband/phone-numbers/numbers-for-drama
      phone: `01632 960${String(Math.floor(random.between(0, 1000))).padStart(3, '0')}`,
    };
    index += 1;
  }
}

function slug(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f’]/g, '')
    .toLowerCase();
  return (plain.replaceAll('&', 'and').match(/[a-z0-9]+/g) ?? []).join('-');
}
