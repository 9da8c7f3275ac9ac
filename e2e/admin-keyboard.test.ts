import {
  closeMenuOnPhone,
  focusAfterRemoval,
  keepFocusOnLateScreen,
  publishByKeyboard,
  waitForSession,
} from './admin-keyboard.ts';
import { keepDialogsUncovered, stackMessagesOnPhone } from './admin-messages.ts';
import { describeTestApp } from './test-app.ts';

/* The admin app by keyboard and on a phone. A file of its own, so that it runs in parallel with the other stories. */

describeTestApp('the admin app: keyboard and phone', {
  'signing in, writing and publishing work with the keyboard alone': publishByKeyboard,
  'a screen that loads late does not take the focus from a user who has moved on': keepFocusOnLateScreen,
  'a key pressed as soon as the page tree shows takes effect': waitForSession,
  'removing an item by keyboard moves the focus to the item that takes its place': focusAfterRemoval,
  'Escape closes the menu on a phone, and moves the focus to its button': closeMenuOnPhone,
  'messages are stacked on a phone, and each change can be undone': stackMessagesOnPhone,
  'messages never cover the controls of a dialog': keepDialogsUncovered,
});
