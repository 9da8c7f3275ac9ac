import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/*
 * Checks that a screen is usable at any size and without motion. A zoom of 200 % makes 640 pixels of 1280. A user who enlarges
 * only the text has letters of twice the size in the same window.
 */

const ZOOMED = { width: 640, height: 400 };

/** Checks a screen at its current size, and in a desktop window also zoomed and with large text. */
export async function checkFits(page: Page, what: string): Promise<void> {
  await checkNothingOutside(page, what);
  await checkStill(page, what);
  await checkFontSizes(page, what);
  const before = page.viewportSize()!;
  if (before.width < 2 * ZOOMED.width) return;
  await page.setViewportSize(ZOOMED);
  await checkNothingOutside(page, `${what}, at 200 % zoom`);
  await page.setViewportSize(before);
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  await checkNothingOutside(page, `${what}, with text of 200 %`);
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
}

/** Checks that the page does not scroll sideways, and that every control is inside the window. */
async function checkNothingOutside(page: Page, what: string): Promise<void> {
  const find = `() => {
    const { scrollWidth } = document.scrollingElement;
    const tooWide = scrollWidth > innerWidth ? [(scrollWidth - innerWidth) + ' pixels too wide'] : [];
    const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const inScroller = (element) => element.parentElement && (scrolls(element) || inScroller(element.parentElement));
    const controls = 'a[href], button, input, select, textarea, [tabindex="0"], [contenteditable=true]';
    const outside = [...document.querySelectorAll(controls)].filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || inScroller(element.parentElement)) return false;
      const { left, right, width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && (left < -1 || right > innerWidth + 1);
    });
    return [...tooWide, ...outside.map(({ outerHTML }) => outerHTML.slice(0, 300))];
  }`;
  // Floating elements are positioned a few frames after the window was resized.
  const outside = await page.evaluate<string[]>(`(async () => {
    const find = ${find};
    for (let frames = 60; frames > 0 && find().length > 0; frames--) await new Promise(requestAnimationFrame);
    return find();
  })()`);
  assert.deepEqual(outside, [], what);
}

/** Checks that nothing moves for people who want no motion. */
async function checkStill(page: Page, what: string): Promise<void> {
  const moving = await page.evaluate<string[]>(`(() => {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) return [];
    const longest = (text) => Math.max(...text.split(',').map((time) => parseFloat(time) * (/ms/.test(time) ? 1 : 1000)));
    // An endless animation moves however short it is.
    const isMoving = (style) => longest(style.transitionDuration) > 1 || style.animationName !== 'none';
    const styled = [...document.querySelectorAll('body, body *')].filter((element) =>
      ['', '::before', '::after'].some((part) => isMoving(getComputedStyle(element, part || null))));
    return [...styled, ...document.getAnimations().map(({ effect }) => effect.target)]
      .map(({ outerHTML }) => outerHTML.slice(0, 300));
  })()`);
  assert.deepEqual(moving, [], `${what}, with reduced motion`);
}

/** Checks the font size of fields on touch screens: with a smaller one, iOS enlarges the whole screen and leaves it so. */
async function checkFontSizes(page: Page, what: string): Promise<void> {
  const small = await page.evaluate<string[]>(`(() => {
    if (!matchMedia('(pointer: coarse)').matches) return [];
    const fields = 'input:not([type=checkbox], [type=radio], [type=file], [hidden]), textarea, select, [contenteditable=true]';
    return [...document.querySelectorAll(fields)]
      .filter((field) => field.checkVisibility({ visibilityProperty: true }) && parseFloat(getComputedStyle(field).fontSize) < 16)
      .map(({ outerHTML }) => outerHTML.slice(0, 300));
  })()`);
  assert.deepEqual(small, [], `${what}, font sizes of fields on a touch screen`);
}
