import { peopleStories } from './admin-people.ts';
import { describeTestApp } from './test-app.ts';

describeTestApp('in the admin app', peopleStories);
