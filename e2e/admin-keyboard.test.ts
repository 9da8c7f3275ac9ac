import { test } from 'node:test';
import { afterRemoval, byKeyboard, lateArrival, menuOnPhone } from './admin-keyboard.ts';
import { messagesAndDialogs, messagesOnPhone } from './admin-messages.ts';
import { startTestApp } from './test-app.ts';

/* Of the admin app what keyboards and thumbs are answered with: apart, so that it is tested at a time. */

test('the admin app by keyboard, and on a phone', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await t.test('from signing in to a published page, by keyboard alone', byKeyboard(app));
  await t.test('a screen that comes late takes the keyboard from nobody who has gone on', lateArrival(app));
  await t.test('whoever removes something by keyboard is at what has taken its place', afterRemoval(app));
  await t.test('on a phone the menu is closed by Escape, and the keyboard is at its button', menuOnPhone(app));
  await t.test('on a phone the messages lie on one another, and each can be undone', messagesOnPhone(app));
  await t.test('messages cover nothing of a dialog', messagesAndDialogs(app));
});
