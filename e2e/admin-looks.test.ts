import { importCustomers } from './admin-import.ts';
import { anyScreen, newBrand, newCustomer, orderedPlans, whatGoesWrong } from './admin-looks.ts';
import { importPages } from './admin-page-import.ts';
import { pushedTemplate } from './admin-templates.ts';
import { describeTestApp } from './test-app.ts';

/* Each screen is checked by axe on a desktop in light colours, and on a narrow phone in dark ones. */

describeTestApp('the admin app: accessibility', {
  'axe finds no problem on any screen, as an owner and as a viewer': anyScreen,
  'axe finds no problem where an agency creates a customer': newCustomer,
  'axe finds no problem where an agency imports customers from a file': importCustomers,
  'axe finds no problem where a user imports the pages of another site': importPages,
  'axe finds no problem where an agency creates plans and puts them in order': orderedPlans,
  'axe finds no problem where an agency pushes a template to 200 websites and undoes that': pushedTemplate,
  'axe finds no problem where an agency sets a brand for its customers': newBrand,
  'axe finds no problem where a link, the service or the account does not work': whatGoesWrong,
});
