import { importCustomers } from './admin-import.ts';
import { checkFailures, checkScreens, createCustomer, orderPlans, setBrand } from './admin-looks.ts';
import { importPages } from './admin-page-import.ts';
import { pushTemplate } from './admin-templates.ts';
import { describeTestApp } from './test-app.ts';

/* Each screen is checked by axe on a desktop in light colours, and on a narrow phone in dark ones. */

describeTestApp('the admin app: accessibility', {
  'axe finds no problem on any screen, as an owner and as a viewer': checkScreens,
  'axe finds no problem where an agency creates a customer': createCustomer,
  'axe finds no problem where an agency imports customers from a file': importCustomers,
  'axe finds no problem where a user imports the pages of another site': importPages,
  'axe finds no problem where an agency creates plans and puts them in order': orderPlans,
  'axe finds no problem where an agency pushes a template to 200 websites and undoes that': pushTemplate,
  'axe finds no problem where an agency sets a brand for its customers': setBrand,
  'axe finds no problem where a link, the service or the account does not work': checkFailures,
});
