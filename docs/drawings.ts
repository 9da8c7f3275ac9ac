import sharp from 'sharp';

/* Drawings in place of the photographs of a joiner's website, so that no rights are infringed. */

const [ink, clay, sand, sky, leaf] = ['#20302c', '#b4532a', '#ead9c4', '#c9d8dc', '#5d7a5b'];

const yard = `<rect width="900" height="600" fill="${sky}"/><circle cx="690" cy="150" r="70" fill="#fff" opacity=".8"/>
  <path d="M0 420q230-120 470-40t430-20v240H0z" fill="${leaf}"/><path d="M170 470V280l160-110 160 110v190z" fill="${sand}"/>
  <path d="M140 290l190-135 190 135" fill="none" stroke="${ink}" stroke-width="26"/><rect x="290" y="350" width="80" height="120" fill="${clay}"/>`;
const frame = `<rect width="900" height="600" fill="${sand}"/><g stroke="${clay}" stroke-width="34" fill="none">
  <path d="M150 560V240L450 70l300 170v320M150 320h600M450 70v250M150 470l150-150M750 470L600 320"/></g><rect y="550" width="900" height="50" fill="${ink}"/>`;
const joint = `<rect width="900" height="600" fill="${clay}"/><path d="M0 230h380v-70h240v280H380v-70H0z" fill="${sand}"/>
  <path d="M900 230H700v140h200z" fill="${sand}"/><circle cx="500" cy="300" r="34" fill="${ink}"/>`;
const boards = `<rect width="900" height="600" fill="${ink}"/>${[0, 1, 2, 3, 4, 5]
  .map(
    (n) =>
      `<rect x="${70 + n * 14}" y="${60 + n * 84}" width="${660 + (n % 3) * 40}" height="62" rx="6" fill="${[sand, clay, '#d8b48c'][n % 3]}"/>`,
  )
  .join('')}`;
const window = `<rect width="900" height="600" fill="${leaf}"/><path d="M260 560V290a190 190 0 0 1 380 0v270z" fill="${sky}" stroke="${sand}" stroke-width="30"/>
  <path d="M450 110v450M260 330h380" stroke="${sand}" stroke-width="20"/>`;
const rings = `<rect width="900" height="600" fill="${sand}"/>${[260, 215, 170, 128, 88, 50, 18]
  .map((r) => `<ellipse cx="450" cy="300" rx="${r * 1.12}" ry="${r}" fill="none" stroke="${clay}" stroke-width="12"/>`)
  .join('')}`;

/** The files with their alternative texts; null if a file has none yet. */
export const drawings: readonly (readonly [name: string, alt: string | null, drawing: string])[] = [
  ['rings.jpg', null, rings],
  ['chapel-window.jpg', 'An arched window of oak in a green wall', window],
  ['boards.jpg', '', boards],
  ['mortise-and-tenon.jpg', 'A tenon going into its mortise, with a peg', joint],
  ['oak-frame.jpg', 'The frame of a barn, raised this morning', frame],
  ['the-yard.jpg', 'Our workshop between two hills', yard],
];

export function draw(drawing: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 600" width="1800" height="1200">${drawing}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer();
}
