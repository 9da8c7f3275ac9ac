import { afterRemoval, byKeyboard, lateArrival, lateSession, menuOnPhone } from './admin-keyboard.ts';
import { messagesAndDialogs, messagesOnPhone } from './admin-messages.ts';
import { describeTestApp } from './test-app.ts';

/* Of the admin app what keyboards and thumbs are answered with: apart, so that it is tested at a time. */

describeTestApp('in the admin app, by keyboard and on a phone', {
  'a page is signed in to, written and published by keyboard alone': byKeyboard,
  'a screen that comes late takes the keyboard from nobody who has gone on': lateArrival,
  'a key that is pressed as soon as the pages are shown does its work': lateSession,
  'after a removal by keyboard, the keyboard is at what has taken its place': afterRemoval,
  'on a phone the menu is closed by Escape, and the keyboard is at its button': menuOnPhone,
  'on a phone the messages lie on one another, and each can be undone': messagesOnPhone,
  'messages cover nothing of a dialog': messagesAndDialogs,
});
