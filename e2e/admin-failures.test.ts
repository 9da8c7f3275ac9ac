import { whatGoesWrong } from './admin-looks.ts';
import { describeTestApp } from './test-app.ts';

/* Apart from the other screens, so that both are looked at at a time. */

describeTestApp('axe finds nothing in the admin app, on a desk in light and on a narrow phone in the dark:', {
  'where a link, the service or the account does not work': whatGoesWrong,
});
