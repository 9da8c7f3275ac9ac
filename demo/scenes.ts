import { Random } from './random.ts';

/* Drawn scenes in place of photographs of small businesses, so that no rights are infringed. */

type Draw = (random: Random, accent: string) => string;

/** The width in pixels. Wider pictures would get a third size. */
const WIDTH = 960;

/** Returns the scene as SVG. The accent colours an awning, a wall or a mat; the seed moves things. */
export function drawScene(name: SceneName, accent: string, seed: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="${WIDTH}"><defs>
<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="5"/></filter>
<filter id="blur" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="22"/></filter>
<radialGradient id="edge" r=".78"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".42"/></radialGradient>
<radialGradient id="sun"><stop stop-color="#fff6d8"/><stop offset=".25" stop-color="#ffe2a0" stop-opacity=".8"/><stop offset="1" stop-color="#ffd080" stop-opacity="0"/></radialGradient>
<linearGradient id="beam" x2="1" y2=".7"><stop stop-color="#fff8e0" stop-opacity=".55"/><stop offset=".8" stop-color="#fff8e0" stop-opacity="0"/></linearGradient>
</defs>${scenes[name](new Random(seed), accent)}<rect width="1200" height="800" fill="url(#edge)"/></svg>`;
}

/** Counts gradients: each needs a unique id. */
let gradients = 0;

/** Returns the definition of a gradient and the `fill` that refers to it. */
function gradient(colours: readonly string[], direction: 'down' | 'right' | 'round' = 'down') {
  gradients += 1;
  const id = `g${gradients}`;
  const stops = colours
    .map((colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`)
    .join('');
  const round = direction === 'round';
  const shape = round ? 'cx=".4" cy=".32" r=".75"' : direction === 'down' ? 'x2="0" y2="1"' : '';
  const element = round ? 'radialGradient' : 'linearGradient';
  return { define: `<${element} id="${id}" ${shape}>${stops}</${element}>`, fill: `fill="url(#${id})"` };
}

function rect(x: number, y: number, width: number, height: number, colours: readonly string[], more = ''): string {
  if (colours.length === 1) {
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colours[0]}" ${more}/>`;
  }
  const { define, fill } = gradient(colours, more.includes('data-right') ? 'right' : 'down');
  return `${define}<rect x="${x}" y="${y}" width="${width}" height="${height}" ${fill} ${more}/>`;
}

function ellipse(x: number, y: number, rx: number, ry: number, colours: readonly string[], more = ''): string {
  const { define, fill } =
    colours.length === 1 ? { define: '', fill: `fill="${colours[0]}"` } : gradient(colours, 'round');
  return `${define}<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" ${fill} ${more}/>`;
}

const times = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => draw(n)).join('');
const blurred = (content: string, filter: 'soft' | 'blur' = 'blur') => `<g filter="url(#${filter})">${content}</g>`;
const shadow = (x: number, y: number, rx: number, ry: number) =>
  blurred(ellipse(x, y, rx, ry, ['#000'], 'opacity=".45"'), 'soft');

/** Draws lights out of focus. */
function lights(random: Random, count: number, colours: readonly string[], from = 0, to = 800): string {
  return times(count, () =>
    ellipse(
      random.between(0, 1200),
      random.between(from, to),
      ...twice(random.between(18, 70)),
      [random.pick(colours)],
      `opacity="${random.between(0.12, 0.5).toFixed(2)}"`,
    ),
  );
}

const twice = (value: number): [number, number] => [value, value];

/** Draws a line of hills across the picture. */
function hills(random: Random, y: number, height: number, colours: readonly string[]): string {
  const { define, fill } = gradient(colours);
  let path = `M0 ${y}`;
  for (let x = 0; x < 1200; x += 300) {
    path += `q75 ${-random.between(0.3, 1) * height} 150 ${-random.between(-0.2, 0.4) * height}t150 0`;
  }
  return `${define}<path d="${path}V800H0z" ${fill}/>`;
}

function wood(random: Random, y: number, colours: readonly string[]): string {
  const boards = times(5, (n) => {
    const top = y + (n * (800 - y)) / 5;
    const grain = times(7, () => {
      const at = top + random.between(4, (800 - y) / 5 - 6);
      return `<path d="M0 ${at}q${random.between(200, 500)} ${random.between(-9, 9)} 600 0t600 0" stroke="#000" stroke-opacity="${random.between(0.05, 0.16).toFixed(2)}" stroke-width="${random.between(1, 3).toFixed(1)}" fill="none"/>`;
    });
    return `${rect(0, top, 1200, (800 - y) / 5 - 3, [colours[n % 2]!, colours[(n + 1) % 2]!], 'data-right="1"')}${grain}`;
  });
  return rect(0, y, 1200, 800 - y, ['#2b1a0e']) + boards;
}

const loaf = (x: number, y: number, size: number) =>
  `${shadow(x, y + size * 0.62, size * 1.5, size * 0.26)}${ellipse(x, y, size * 1.5, size * 0.82, ['#e8b565', '#b9732c', '#6d3a12'])}
  <g stroke="#f3ddb0" stroke-linecap="round" opacity=".85" fill="none" stroke-width="${size * 0.11}">${times(3, (n) => `<path d="M${x - size * (0.75 - n * 0.6)} ${y - size * 0.05}q${size * 0.12} ${-size * 0.4} ${size * 0.42} ${-size * 0.5}"/>`)}</g>
  ${blurred(ellipse(x - size * 0.4, y - size * 0.42, size * 0.7, size * 0.16, ['#fff'], 'opacity=".3"'), 'soft')}`;

const flower = (x: number, y: number, size: number, colour: string, random: Random) => {
  const turn = random.between(0, 60);
  const ring = (count: number, far: number, wide: number, opacity: number) =>
    times(count, (n) => {
      const angle = turn + far + (n * 360) / count;
      return `<ellipse cx="${x}" cy="${y - size * far}" rx="${size * wide}" ry="${size * far * 0.62}" fill="${colour}" stroke="#000" stroke-opacity=".12" opacity="${opacity}" transform="rotate(${angle} ${x} ${y})"/>`;
    });
  return `${ring(12, 0.62, 0.24, 0.92)}${ring(9, 0.4, 0.2, 0.95)}${ellipse(x, y, size * 0.2, size * 0.2, ['#ffe9a8', '#c9952e'])}`;
};

const wheel = (x: number, y: number) =>
  `<circle cx="${x}" cy="${y}" r="158" fill="none" stroke="#20242a" stroke-width="16"/><circle cx="${x}" cy="${y}" r="145" fill="none" stroke="#c9ced4" stroke-width="6"/>
  ${times(20, (n) => `<path d="M${x} ${y}L${x + 145 * Math.cos(n * 0.314)} ${y + 145 * Math.sin(n * 0.314)}" stroke="#dde1e6" stroke-width="1.6"/>`)}<circle cx="${x}" cy="${y}" r="13" fill="#3a4047"/>`;

const room = (wall: readonly string[], floor: readonly string[]) =>
  `${rect(0, 0, 1200, 560, wall, 'data-right="1"')}${rect(0, 560, 1200, 240, floor)}<path d="M0 556h1200v10H0z" fill="#fff" opacity=".5"/>`;

const pane = (x: number, y: number, width: number, height: number, view: readonly string[]) =>
  `${rect(x - 16, y - 16, width + 32, height + 32, ['#f6f1e8', '#d9d2c4'])}${rect(x, y, width, height, view)}${blurred(ellipse(x + width * 0.3, y + height * 0.85, width * 0.28, height * 0.25, ['#7f9a6b'], 'opacity=".7"'))}
  <path d="M${x + width / 2 - 4} ${y}h8v${height}h-8zM${x} ${y + height / 2 - 4}h${width}v8H${x}z" fill="#efe9dd"/>`;

const scenes = {
  loaves: (random) =>
    `${rect(0, 0, 1200, 800, ['#3a2a1d', '#6a4a2d'])}${blurred(lights(random, 16, ['#ffcf8a', '#ffb45e', '#fff0cf'], 0, 330))}${wood(random, 420, ['#8a5a33', '#744826'])}
    ${times(3, (n) => loaf(250 + n * 350, 420 + random.between(-12, 12), 105))}${times(2, (n) => loaf(400 + n * 390, 590 + random.between(-10, 10), 135))}
    ${times(90, () => ellipse(random.between(40, 1160), random.between(640, 790), ...twice(random.between(1, 3.4)), ['#fff4dc'], 'opacity=".7"'))}`,
  grain: (random) =>
    `${rect(0, 0, 1200, 800, ['#8fc0dc', '#e9e3c0', '#d9b45a'])}${ellipse(860, 240, 330, 330, ['#fff'], 'style="fill:url(#sun)"')}${hills(random, 430, 60, ['#8d9a62', '#a8964d'])}${blurred(rect(0, 470, 1200, 330, ['#c99a3b', '#8f6420']), 'soft')}
    ${times(70, (n) => {
      const [x, top] = [(n * 67) % 1240, random.between(330, 560)];
      return `<path d="M${x} 810Q${x + 10} ${top + 160} ${x + 22} ${top}" stroke="#b98a2f" stroke-width="4" fill="none"/>${times(7, (k) => `<ellipse cx="${x + 20 + (k % 2 ? 7 : -7)}" cy="${top + k * 15}" rx="7" ry="13" fill="${k % 2 ? '#e2b552' : '#cf9c3c'}" transform="rotate(${k % 2 ? 24 : -24} ${x + 20} ${top + k * 15})"/>`)}`;
    })}`,
  shopfront: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#cfc4b2', '#b8aa95'])}${times(9, (n) => times(13, (k) => rect(k * 100 - (n % 2) * 50, n * 62, 96, 58, [random.pick(['#c7b9a4', '#bfb09a', '#cdc0ac'])], 'rx="2"')))}
    ${rect(0, 690, 1200, 110, ['#8f8a84', '#6b6660'])}${rect(150, 235, 900, 460, ['#2a2d2f', '#3a3d3f'])}${rect(180, 330, 540, 320, ['#6c5a3d', '#e5b565', '#8a6534'])}
    ${blurred(lights(random, 9, ['#ffe9b8', '#ffd27a'], 350, 560).replaceAll('cx="', 'cx="3'), 'soft')}${times(6, (n) => `${rect(205 + n * 86, 560 - (n % 3) * 18, 62, 90, [['#b5713a', '#d9a05b', '#8f4f2b'][n % 3]!, '#5b3218'], 'rx="10"')}`)}
    ${rect(180, 330, 540, 320, ['#fff'], 'opacity=".09"')}<path d="M230 330h120l-150 320h-20V520z" fill="#fff" opacity=".13"/>${rect(770, 330, 240, 365, [accent, '#1d1d1d'], 'opacity=".9"')}${rect(800, 360, 180, 190, ['#d9b36b', '#7c5a30'])}<circle cx="795" cy="600" r="9" fill="#e3c77d"/>
    ${times(10, (n) => `<path d="M${130 + n * 94} 235h94l12 95q-53 34-106 0z" fill="${n % 2 ? '#f4ede1' : accent}"/>`)}<path d="M118 330q482 60 964 0v14q-482 60-964 0z" fill="#000" opacity=".16"/>${rect(150, 150, 900, 80, [accent, '#22201e'])}${rect(330, 180, 540, 16, ['#f4e6c8'], 'rx="8" opacity=".85"')}
    ${times(2, (n) => `${ellipse(90 + n * 1020, 640, 62, 75, ['#7fa05f', '#35552f'])}${rect(55 + n * 1020, 680, 70, 80, ['#b06a45', '#7c4528'], 'rx="6"')}`)}`,
  pipes: (random) =>
    `${rect(0, 0, 1200, 800, ['#dfe7ea', '#b9c6cc'])}${times(8, (n) => times(12, (k) => rect(k * 104 + 3, n * 104 + 3, 98, 98, [random.pick(['#e9f0f2', '#e1eaed', '#eef3f4']), '#cfdade'], 'rx="5"')))}
    ${times(4, (n) => rect(0, 150 + n * 150, 1200, 46, ['#7a3d1e', '#f0b48a', '#c8743f', '#6b3417'], 'opacity=".98"'))}${times(3, (n) => rect(220 + n * 360, 0, 46, 800, ['#7a3d1e', '#f4bd96', '#c8743f', '#6b3417'], 'data-right="1"'))}
    ${times(12, (n) => rect(208 + (n % 3) * 360, 138 + Math.floor(n / 3) * 150, 70, 70, ['#8f4b26', '#e9a878', '#7a3d1e'], 'rx="9"'))}${times(2, (n) => `${shadow(438 + n * 360, 436, 80, 26)}${ellipse(420 + n * 360, 398, 62, 62, ['#f06a5a', '#b8281f', '#6d120d'])}${ellipse(420 + n * 360, 398, 22, 22, ['#f3f3f3', '#8b8f93'])}`)}`,
  bathroom: (random, accent) =>
    `${room(['#eef3f2', '#d4dfde'], ['#c7b79d', '#9a8668'])}${times(4, (n) => times(12, (k) => rect(k * 100 + 2, 300 + n * 65, 96, 61, [random.pick(['#f8fbfb', '#eef4f4'])], 'rx="3"')))}${pane(760, 60, 300, 210, ['#bfe0ee', '#f2f6ea'])}
    ${rect(90, 70, 330, 190, ['#cfe3e8', '#f4f9fa'], 'rx="14" stroke="#b98d4e" stroke-width="9"')}${shadow(720, 745, 390, 26)}<path d="M360 500h760q0 240-130 240H490Q360 740 360 500z" fill="#fdfdfc"/><path d="M360 500h760v34H360z" fill="#e4e9ea"/><path d="M1010 500V390q0-40-44-40h-24v26" fill="none" stroke="#b98d4e" stroke-width="17"/>
    ${rect(120, 480, 200, 26, ['#7c5a36'])}${rect(140, 506, 160, 250, ['#96704a', '#5d4229'])}${rect(160, 400, 34, 80, [accent, '#223'], 'rx="6"')}${ellipse(258, 436, 40, 50, ['#9dbb80', '#3f6238'])}${rect(236, 446, 44, 36, ['#f3efe6', '#c9c1b0'])}<path d="M760 44h300l-420 640H300z" fill="url(#beam)"/>`,
  tools: (random, accent) =>
    `${wood(random, 0, ['#b98d5c', '#a87b4b'])}${times(7, (n) => {
      const x = 130 + n * 156;
      const handle = [accent, '#7a2f22', '#2f3f55'][n % 3]!;
      return `${blurred(rect(x + 16, 230, 34, 380, ['#000'], 'opacity=".35"'), 'soft')}${rect(x, 460 - (n % 2) * 40, 40, 190, [handle, '#1b1512'], 'rx="16"')}${rect(x + 12, 220 + (n % 3) * 24, 16, 260, ['#f1f3f5', '#8d949b'], 'data-right="1"')}${
        n % 3 === 0
          ? rect(x - 36, 200, 112, 52, ['#dfe3e7', '#6d747b'], 'rx="8"')
          : n % 3 === 1
            ? `<path d="M${x - 14} 190a34 34 0 1 1 68 0v44h-22v-36h-24v36h-22z" fill="#aab1b8"/>`
            : `<path d="M${x + 8} 190h24l8 90H${x}z" fill="#c3c9cf"/>`
      }<circle cx="${x + 20}" cy="150" r="9" fill="#5a4026"/>`;
    })}`,
  mats: (random, accent) =>
    `${room(['#efe6da', '#cdbfae'], ['#b98f63', '#8a6440'])}${times(3, (n) => pane(110 + n * 370, 70, 230, 380, ['#cfe4ee', '#f7f2df', '#dfe8cf']))}
    ${times(9, (n) => `<path d="M${-200 + n * 190} 800L${420 + n * 45} 566" stroke="#5c4026" stroke-opacity=".35" stroke-width="3"/>`)}${times(4, (n) => `<path d="M${70 + n * 285} 770l${70 - n * 30} -170h120l${-10 - n * 14} 170z" fill="${[accent, '#8fa7a0', '#d6a77a', '#6d7f94'][n]}"/>`)}
    ${ellipse(1120, 600, 90, 110, ['#8fb07a', '#3f5f3a'])}${rect(1080, 640, 84, 96, ['#e8dccb', '#b8a58c'], 'rx="10"')}<path d="M110 60h600l320 740H500z" fill="url(#beam)"/>${blurred(lights(random, 5, ['#fff2cf'], 60, 400))}`,
  sunrise: (random) =>
    `${rect(0, 0, 1200, 800, ['#3f5f8f', '#e79a72', '#ffd9a0'])}${ellipse(780, 430, 420, 420, ['#fff'], 'style="fill:url(#sun)"')}${ellipse(780, 420, 62, 62, ['#fffbe8'])}${blurred(
      times(6, () =>
        ellipse(
          random.between(0, 1200),
          random.between(80, 300),
          random.between(120, 300),
          random.between(8, 22),
          ['#ffe3c4'],
          'opacity=".5"',
        ),
      ),
      'soft',
    )}
    ${hills(random, 470, 90, ['#8a7f9a', '#b99a98'])}${hills(random, 540, 80, ['#5f6b7d', '#8d8a86'])}${hills(random, 620, 90, ['#3b4f4a', '#5d6b52'])}${hills(random, 720, 60, ['#1f322b', '#0f1c18'])}
    ${times(14, () => {
      const [x, y] = [random.between(0, 1200), random.between(650, 760)];
      return `<path d="M${x} ${y}l-17 62h34z" fill="#14231d"/>`;
    })}`,
  stones: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#d9e2e0', '#a9bab8'])}${blurred(lights(random, 14, ['#ffffff', accent, '#e9f2ee'], 0, 500))}${rect(0, 600, 1200, 200, ['#8fa3a5', '#5d7276'])}${shadow(600, 690, 330, 30)}
    ${[
      [600, 640, 270, 62],
      [590, 536, 205, 54],
      [612, 446, 150, 45],
      [598, 374, 98, 34],
      [606, 318, 60, 26],
    ]
      .map(([x, y, rx, ry], n) =>
        ellipse(x!, y!, rx!, ry!, [['#cfd3d4', '#b9b2a8', '#c4cbd0', '#a7a29b', '#d8d5cf'][n]!, '#7d8084', '#3c4044']),
      )
      .join('')}${blurred(ellipse(600, 735, 280, 40, ['#2c3a3d'], 'opacity=".5"'))}`,
  books: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#2c1d14', '#1a110b'])}${times(3, (n) => {
      let [row, x] = ['', 18];
      while (x < 1170) {
        const [width, height] = [random.between(26, 62), random.between(168, 214)];
        const colour = random.pick(['#6b2b22', '#2f4536', '#28374f', '#8a6a3a', '#4f2f3f', accent, '#a58a5c']);
        const top = 40 + n * 255 + (214 - height);
        row += `${rect(x, top, width, height, ['#0d0906', colour, colour, '#120c08'], 'data-right="1" rx="3"')}${rect(x + 3, top + 28, width - 6, 5, ['#d8b763'], 'opacity=".85"')}${rect(x + 3, top + height - 42, width - 6, 5, ['#d8b763'], 'opacity=".85"')}${rect(x + width * 0.28, top + 48, width * 0.44, 40, ['#d8b763'], 'opacity=".35"')}`;
        x += width + 2;
      }
      return `${row}${rect(0, 254 + n * 255, 1200, 32, ['#8a5f38', '#4b2f19'])}${rect(0, 286 + n * 255, 1200, 26, ['#000'], 'opacity=".35"')}`;
    })}${ellipse(240, 60, 620, 560, ['#fff'], 'style="fill:url(#sun)" opacity=".33"')}`,
  facade: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#9fc3dd', '#dfe9ee'])}${rect(120, 90, 960, 640, ['#e7d6bd', '#cdb896'])}${rect(90, 60, 1020, 46, ['#f2e8d8', '#bfae93'])}${times(
      3,
      (n) =>
        times(5, (k) => {
          const [x, y] = [180 + k * 178, 150 + n * 190];
          if (n === 2 && k === 2)
            return `${rect(x - 12, y - 20, 146, 260, ['#f2e8d8', '#c9b99d'])}${rect(x + 8, y, 106, 240, [accent, '#1c1a19'])}<circle cx="${x + 98}" cy="${y + 130}" r="6" fill="#e0c070"/>`;
          return `${rect(x - 10, y - 12, 120, 152, ['#f4ecdf', '#d8cbb4'])}${rect(x, y, 100, 130, random.chance(0.25) ? ['#ffe9b0', '#e0a94f'] : ['#5f7d93', '#2f4556'])}<path d="M${x + 47} ${y}h6v130h-6zM${x} ${y + 60}h100v5H${x}z" fill="#f4ecdf"/><path d="M${x} ${y + 130}l60-130h24l-60 130z" fill="#fff" opacity=".16"/>`;
        }),
    )}${rect(0, 728, 1200, 72, ['#a09a92', '#6d675f'])}${times(2, (n) => `${rect(40 + n * 1100, 560, 18, 180, ['#4a3a2b'])}${ellipse(50 + n * 1100, 500, 120, 150, ['#8fae6c', '#3d5c35'])}`)}`,
  desk: (random, accent) =>
    `${room(['#e9e4da', '#c9c0b0'], ['#7b5d42', '#553d2a'])}${pane(140, 70, 340, 360, ['#c9dfeb', '#f3efdd'])}${times(3, (n) => rect(760, 120 + n * 120, 330, 14, ['#6d4b2f', '#4b321e']))}${times(15, (n) => rect(775 + (n % 5) * 60, 52 + Math.floor(n / 5) * 120, random.between(22, 46), 68, [random.pick([accent, '#7c3b2e', '#38506a', '#8f7a4f'])]))}
    ${shadow(600, 750, 520, 24)}${rect(120, 520, 960, 40, ['#a8784a', '#6d4626'])}${rect(160, 560, 36, 200, ['#6d4626', '#3f2814'])}${rect(1004, 560, 36, 200, ['#6d4626', '#3f2814'])}${rect(420, 500, 230, 20, ['#fbfaf5', '#ddd7c8'])}${rect(440, 486, 200, 14, ['#fff', '#e4dfd2'])}
    <path d="M860 520v-110l-70-60" fill="none" stroke="#3a3a3a" stroke-width="11"/><path d="M740 380l96-72 30 44-96 62z" fill="${accent}"/><path d="M744 392l78 22 120 106H640z" fill="#ffe9a8" opacity=".25"/>${ellipse(300, 494, 34, 28, ['#f4f1ea', '#b5aea0'])}<path d="M140 60h340l420 600H500z" fill="url(#beam)"/>`,
  cup: (random, accent) =>
    `${wood(random, 0, ['#6b4a33', '#5a3c28'])}${blurred(lights(random, 6, ['#ffdca0'], 0, 260))}${shadow(630, 470, 330, 290)}${ellipse(600, 420, 320, 320, ['#ffffff', '#eae4da', '#b5ab9b'])}${ellipse(600, 420, 250, 250, ['#f4efe7', '#d8cfc0'])}${ellipse(600, 420, 212, 212, ['#ffffff', '#d9d1c3'])}
    <path d="M790 330q150-70 170 50t-130 120" fill="none" stroke="#efe9df" stroke-width="40"/>${ellipse(600, 420, 190, 190, ['#c98f56', '#9a5c2b', '#5e3113'])}<path d="M600 560C440 480 470 320 550 330q40 4 50 44 10-40 50-44c80-10 110 150-50 230z" fill="#f6e6cb"/><path d="M600 510c-90-50-76-140-34-134q26 4 34 34 8-30 34-34c42-6 56 84-34 134z" fill="#c98f56"/><path d="M600 470c-46-26-40-70-18-68q14 2 18 18 4-16 18-18c22-2 28 42-18 68z" fill="#f6e6cb"/>
    ${rect(90, 560, 180, 240, [accent, '#241a16'], 'transform="rotate(-14 180 680)" rx="4"')}${rect(930, 70, 250, 300, ['#f2ede2', '#d5cdbd'], 'transform="rotate(12 1050 220)"')}${times(7, (n) => rect(960, 110 + n * 32, 180 - (n % 3) * 30, 9, ['#8b8378'], 'transform="rotate(12 1050 220)"'))}`,
  flowers: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#43543f', '#22301f'])}${blurred(lights(random, 30, ['#7e9a63', '#aac07f', accent, '#e8d9a8']))}${times(34, () => `<ellipse cx="${random.between(60, 1140)}" cy="${random.between(260, 800)}" rx="22" ry="90" fill="${random.pick(['#3f6136', '#58804a', '#2f4a2b'])}" transform="rotate(${random.between(-50, 50)} ${random.between(200, 1000)} 700)"/>`)}
    ${times(19, (n) => flower(120 + ((n * 211) % 980), 170 + ((n * 137) % 520), random.between(74, 128), random.pick([accent, '#f2c6c0', '#f7ead2', '#e2895f', '#c94f6d', '#fbf3e6']), random))}`,
  meadow: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#a9cfe3', '#eef0d8', '#b9c77d'])}${ellipse(320, 220, 340, 340, ['#fff'], 'style="fill:url(#sun)"')}${hills(random, 400, 60, ['#7d9a72', '#94ab6d'])}${blurred(
      times(9, (n) => ellipse(n * 150, 420, 90, 60, ['#4f7048'])),
      'soft',
    )}${rect(0, 440, 1200, 360, ['#a3b85c', '#54702f'])}
    ${times(120, () => {
      const [x, y] = [random.between(-10, 1210), random.between(470, 800)];
      return `<path d="M${x} ${y + 90}q6-50 ${random.between(-16, 16)} -90" stroke="${random.pick(['#6f8f3d', '#8aa64d', '#4f6f2e'])}" stroke-width="4" fill="none"/>`;
    })}${times(64, () => {
      const y = random.between(480, 780);
      return ellipse(random.between(0, 1200), y, ...twice(4 + (y - 470) / 22), [
        random.pick([accent, '#fff', '#f4d35e', '#e76f51', '#7d8fd1']),
      ]);
    })}`,
  planks: (random) =>
    `${rect(0, 0, 1200, 800, ['#3f3226', '#241b14'])}${blurred(lights(random, 10, ['#ffd79a', '#c99a5b'], 0, 300))}${times(
      9,
      (n) => {
        const [y, x] = [90 + n * 78, random.between(-60, 60)];
        const ends = times(
          5,
          (k) =>
            `${rect(x + k * 262, y, 254, 70, [random.pick(['#e0b279', '#d39f63', '#e8c08d']), '#9c6a36'], 'rx="3"')}${times(3, (r) => `<ellipse cx="${x + k * 262 + 120}" cy="${y + 60}" rx="${36 + r * 36}" ry="${16 + r * 17}" fill="none" stroke="#7c4f24" stroke-opacity=".4" stroke-width="3" clip-path="inset(0)"/>`)}`,
        );
        return `${ends}${rect(0, y + 70, 1200, 9, ['#120c07'])}`;
      },
    )}`,
  table: (_random, accent) =>
    `${room(['#dfd8cc', '#b9ae9d'], ['#8d7355', '#5f4a34'])}${pane(120, 60, 420, 360, ['#c4dde9', '#eef3e0'])}${times(3, (n) => `<path d="M${700 + n * 150} 0v${120 + (n % 2) * 30}" stroke="#222" stroke-width="4"/><path d="M${655 + n * 150} ${180 + (n % 2) * 30}q45-90 90 0z" fill="${n === 1 ? '#2c2c2c' : accent}"/>`)}${shadow(600, 745, 540, 28)}
    ${rect(100, 500, 1000, 46, ['#d9a869', '#a06d38', '#7a4f26'])}${rect(150, 546, 46, 210, ['#a06d38', '#5b3917'])}${rect(1004, 546, 46, 210, ['#a06d38', '#5b3917'])}${times(4, (n) => `${rect(250 + n * 190, 430, 12, 330, ['#4b3524'])}${rect(340 + n * 190, 430, 12, 330, ['#4b3524'])}${rect(250 + n * 190, 430, 102, 26, ['#6b4d33', '#3f2b1a'])}${rect(244 + n * 190, 610, 114, 18, ['#6b4d33', '#3f2b1a'])}`)}
    ${rect(570, 410, 50, 92, ['#e9eef0', '#9fb0b5'], 'rx="16"')}${times(5, (n) => ellipse(560 + n * 18, 380 - (n % 2) * 34, 20, 34, ['#a9c48d', '#547a48']))}<path d="M120 50h420l420 640H480z" fill="url(#beam)"/>`,
  room: (random, accent) =>
    `${room(['#ece3d4', '#c8b79f'], ['#9b7a55', '#6c5236'])}${pane(720, 70, 330, 340, ['#b9d8e8', '#f4f0da'])}${times(5, (n) => rect(0, n * 108 - 40, 1200, 26, ['#6b4a2e', '#4b321c'], `transform="rotate(${random.between(-0.4, 0.4)} 600 300)" opacity="${n === 0 ? 1 : 0}"`))}${shadow(420, 750, 420, 24)}
    ${rect(90, 330, 660, 190, ['#8a6238', '#5d3f21'], 'rx="12"')}${rect(90, 500, 680, 190, ['#fdfaf4', '#d9d0c1'], 'rx="18"')}${rect(90, 570, 680, 150, [accent, '#2a2420'], 'rx="14"')}${times(2, (n) => rect(130 + n * 300, 430, 260, 110, ['#ffffff', '#d8d2c6'], 'rx="34"'))}${rect(840, 540, 150, 190, ['#8a6238', '#4f351b'])}<path d="M900 540v-70" stroke="#333" stroke-width="8"/><path d="M860 480l22-80h70l22 80z" fill="#ffe7b0"/>${ellipse(916, 440, 210, 210, ['#fff'], 'style="fill:url(#sun)" opacity=".55"')}<path d="M720 60h330l-500 640H250z" fill="url(#beam)"/>`,
  lake: (random, accent) =>
    `${rect(0, 0, 1200, 440, ['#5b82a8', '#d8c9b8', '#f4d9b0'])}${hills(random, 360, 150, ['#6f8296', '#9aa3a3'])}${hills(random, 420, 90, ['#3d5a55', '#5c7560'])}${rect(0, 430, 1200, 370, ['#c9b89f', '#5f7f95', '#2d4a5e'])}
    ${blurred(
      times(26, () =>
        ellipse(
          random.between(0, 1200),
          random.between(440, 780),
          random.between(60, 220),
          random.between(2, 6),
          ['#fff'],
          'opacity=".28"',
        ),
      ),
      'soft',
    )}${times(22, (n) => {
      const [x, height] = [n * 58 + random.between(-14, 14), random.between(60, 130)];
      return `<path d="M${x} ${432 - height}l-22 ${height}h44z" fill="#24403a"/><path d="M${x} ${434 + height * 0.8}l-22 ${-height * 0.8}h44z" fill="#24403a" opacity=".35"/>`;
    })}<path d="M430 800l120-250h80l150 250z" fill="#6f5538"/>${times(9, (n) => `<path d="M${540 - n * 13} ${560 + n * 28}h${90 + n * 27}" stroke="#3f2e1c" stroke-width="4"/>`)}<path d="M760 590q90 34 190 0l-24 34H790z" fill="${accent}"/>`,
  bokeh: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#20182b', '#3a2538', '#120d18'])}${blurred(lights(random, 40, ['#ffcf8a', '#ff9e7a', accent, '#ffe9c8', '#c78bd0']), 'soft')}${lights(random, 16, ['#ffe2a8', '#fff'], 0, 420)}${times(2, (n) => `<path d="M0 ${90 + n * 70}q600 ${160 + n * 40} 1200 ${-10 + n * 30}" fill="none" stroke="#0b0710" stroke-width="4"/>${times(14, (k) => ellipse(40 + k * 86, 100 + n * 74 + Math.sin((k / 13) * Math.PI) * (78 + n * 16), 11, 15, ['#fffbe6', '#ffc65c']))}`)}
    ${blurred(`<circle cx="540" cy="430" r="62" fill="#0d0912"/><path d="M450 800q10-300 90-310t100 310z" fill="#0d0912"/><circle cx="668" cy="446" r="56" fill="#f3e9e4" opacity=".85"/><path d="M560 800q40-300 108-300t150 300z" fill="#f3e9e4" opacity=".85"/>`, 'soft')}`,
  bicycle: (random, accent) =>
    `${rect(0, 0, 1200, 800, ['#d7cdbf', '#b9ab98'])}${times(9, (n) => times(11, (k) => rect(k * 120 - (n % 2) * 60, n * 70, 116, 66, [random.pick(['#b5654a', '#a85a41', '#bf7054', '#9c523b']), '#8a4733'], 'rx="2"')))}${rect(0, 640, 1200, 160, ['#9a948c', '#65605a'])}<path d="M0 0h420L120 640H0z" fill="#fff3d0" opacity=".12"/>${shadow(600, 668, 430, 18)}
    ${wheel(350, 505)}${wheel(850, 505)}<g fill="none" stroke="${accent}" stroke-width="19" stroke-linecap="round" stroke-linejoin="round"><path d="M350 505l130-200h300l-190 210zM480 305l110 210H350M780 305l70 200M780 305l-22-76"/></g><g fill="none" stroke="#22262b" stroke-width="15" stroke-linecap="round"><path d="M758 229h70q40 4 26 46M480 305l-20-66"/></g><path d="M408 236q70-26 116 0-30 24-116 0z" fill="#5b3a20"/><circle cx="590" cy="515" r="42" fill="none" stroke="#2a2e33" stroke-width="12"/><path d="M590 515l46 66" stroke="#2a2e33" stroke-width="12"/><path d="M350 493h240M350 519h240" stroke="#2a2e33" stroke-width="4"/>${rect(818, 250, 130, 96, ['#b98a52', '#7b5527'], 'rx="10"')}`,
} satisfies Record<string, Draw>;

export type SceneName = keyof typeof scenes;
