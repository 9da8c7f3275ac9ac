import { importCustomers } from './admin-import.ts';
import { anyScreen, newBrand, newCustomer, orderedPlans, whatGoesWrong } from './admin-looks.ts';
import { importPages } from './admin-page-import.ts';
import { pushedTemplate } from './admin-templates.ts';
import { describeTestApp } from './test-app.ts';

describeTestApp('axe finds nothing in the admin app, on a desk in light and on a narrow phone in the dark:', {
  'on any screen, as an owner and as a viewer': anyScreen,
  'where an agency creates a customer': newCustomer,
  'where an agency imports customers from a file': importCustomers,
  'where somebody imports the pages of another site': importPages,
  'where an agency creates plans and puts them in order': orderedPlans,
  'where an agency passes a template on to 200 websites and takes that back': pushedTemplate,
  'where an agency gives its customers a brand': newBrand,
  'where a link, the service or the account does not work': whatGoesWrong,
});
