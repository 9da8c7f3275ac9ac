import { peopleStories } from './admin-people.ts';
import { describeTestApp } from './test-app.ts';

describeTestApp('the admin app: people and settings', peopleStories);
