import { type Business, firstNames, towns } from './businesses.ts';
import type { Random } from './random.ts';

/** A picture of the business with its place in a text. */
export interface PlacedPicture {
  src: string;
  alt: string;
  caption: string;
}

export interface PageText {
  name: string;
  description: string;
  body: string;
  children?: PageText[];
}

const streets = [
  'High Street',
  'Church Lane',
  'Market Square',
  'Station Road',
  'Mill Lane',
  'Bridge Street',
  'The Green',
];

/** Writes the pages of a site: all texts of the trade for a showpiece, a selection for other sites. */
export function writePages(business: Business, random: Random, pictures: readonly PlacedPicture[]): PageText[] {
  const { trade, isShowpiece, town, name, owner, email, phone } = business;
  const say = (text: string) =>
    text
      .replaceAll('{name}', name)
      .replaceAll('{town}', town)
      .replaceAll('{owner}', owner)
      .replaceAll('{last}', owner.split(' ')[1]!);
  const services = isShowpiece ? trade.services : random.shuffle(trade.services).slice(0, random.pick([3, 4]));
  const [headline, lead] = [say(random.pick(trade.headlines)), say(random.pick(trade.leads))];
  const [about, hours] = [trade.about.map(say), random.pick(trade.hours)];
  const quotes = random.shuffle(trade.quotes).slice(0, isShowpiece ? 2 : 1);
  const offerPath = `/${trade.offer.toLowerCase().replaceAll(' ', '-')}`;
  const picture = (index: number, look: string) => figure(pictures[index], look);

  const home = `<h1>${headline}</h1>
<p>${lead}</p>
${picture(0, 'image-wide')}
<h2>What people come for</h2>
<ul>${services
    .slice(0, 3)
    .map(([what, text]) => `<li><strong>${what}.</strong> ${text}</li>`)
    .join('')}</ul>
<p><a href="${offerPath}">See all prices</a></p>
${quotes.map((quote) => `<blockquote><p>${quote}</p><p>${random.pick(firstNames)}, ${random.pick(towns)}</p></blockquote>`).join('\n')}
<h2>Opening hours</h2>
<p>${hours}. We are in ${town}: <a href="/contact">how to find us</a>.</p>`;
  const table = `<table><thead><tr><th>${trade.offer}</th><th>Price</th></tr></thead><tbody>${services
    .map(([what, , price]) => `<tr><td>${what}</td><td>${price}</td></tr>`)
    .join('')}</tbody></table>`;
  const descriptions = services.map(([what, text]) => `<h2>${what}</h2><p>${text}</p>`).join('\n');
  const offer = `<h1>${trade.offer}</h1>\n<p>${say(trade.leads[1]!)}</p>\n${isShowpiece ? '' : descriptions}\n${table}`;
  const story = `<h1>About us</h1>
<p>${about[0]}</p>
${picture(1, 'image-wide')}
<p>${about[1]}</p>
${isShowpiece ? `<h2>Where we work</h2>\n<p>${name} is at home in ${town}. Come in and look around: the door is open, and questions cost nothing.</p>\n${picture(2, '')}` : ''}`;
  const contact = `<h1>Contact</h1>
<p>${name}<br>${Math.ceil(random.between(1, 90))} ${random.pick(streets)}<br>${town}</p>
<ul><li><strong>Telephone:</strong> <a href="tel:${phone.replaceAll(' ', '')}">${phone}</a></li><li><strong>Email:</strong> <a href="mailto:${email}">${email}</a></li></ul>
<h2>Opening hours</h2>
<p>${hours}</p>`;
  return [
    { name: 'Home', description: lead, body: home },
    {
      name: trade.offer,
      description: `${trade.offer} of ${name}, with prices.`,
      body: offer,
      children: isShowpiece ? services.slice(0, 3).map((service, index) => servicePage(service, pictures[index])) : [],
    },
    { name: 'About us', description: `Who is behind ${name}, and since when.`, body: story },
    { name: 'Contact', description: `Where to find ${name} in ${town}, and when.`, body: contact },
  ];
}

function servicePage(
  [name, text, price]: readonly [string, string, string],
  picture: PlacedPicture | undefined,
): PageText {
  const body = `<h1>${name}</h1>\n<p>${text}</p>\n${figure(picture, 'image-wide')}\n<h2>What it costs</h2>\n<p>${price}. <a href="/contact">Ask us</a> if you have a question first.</p>`;
  return { name, description: text, body };
}

function figure(picture: PlacedPicture | undefined, look: string): string {
  if (!picture) return '';
  const { src, alt, caption } = picture;
  return `<figure${look && ` class="${look}"`}><img src="${src}" alt="${alt}"><figcaption>${caption}</figcaption></figure>`;
}
