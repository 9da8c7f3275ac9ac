import { signInStories } from './admin-people.ts';
import { describeTestApp } from './test-app.ts';

describeTestApp('signing in to the admin app', signInStories);
