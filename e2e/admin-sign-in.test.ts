import { signInStories } from './admin-people.ts';
import { describeTestApp } from './test-app.ts';

describeTestApp('the admin app: signing in', signInStories);
