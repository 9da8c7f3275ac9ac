import { atOnce } from './admin-at-once.ts';
import { describeTestApp } from './test-app.ts';

/* Of the admin app what impatience is answered with: apart, so that it is tested at a time. */

describeTestApp('in the admin app', {
  'what one does shows before the service has answered, and goes where it never does': atOnce,
});
