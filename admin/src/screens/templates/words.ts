import type { LeftReasonJson, PushJson, PushSiteJson } from '../../contract.ts';
import { strings } from '../../strings.ts';

const numberOf = (count: number) => count.toLocaleString(strings.locale);
const sites = (count: number) => (count === 1 ? '1 website' : `${numberOf(count)} websites`);
const they = (count: number) => (count === 1 ? 'it is' : 'they are');
const pages = (count: number) => (count === 1 ? '1 page' : `${numberOf(count)} pages`);

/** The texts of the template screens, which are loaded with them. */
export const words = {
  title: strings.frame.templates,
  text: 'Websites that a new customer can start from, with their pages, images and look. Offer your own here, or that of a customer on the customer’s page.',
  offerOwn: 'Offer our own website',
  empty: 'No templates yet',
  emptyText:
    'Build a website as a new customer should find it, as your own or for a customer, and offer it. New customers then start from it instead of the default pages.',
  edit: 'Edit',
  editOf: (name: string) => `Edit “${name}”`,
  retire: 'Stop offering',
  retireOf: (name: string) => `Stop offering “${name}”`,
  retired: (name: string) => `“${name}” is no longer offered. The websites made from it stay.`,
  restore: 'Offer again',
  restoreOf: (name: string) => `Offer again: “${name}”`,
  restored: (name: string) => `“${name}” is offered again.`,
  offeredTitle: 'Offered',
  retiredTitle: 'No longer offered',
  retiredText: 'No new customer can start from these. The websites made from them still get their changes.',
  siteOf: (name: string) => `The website of ${name}`,
  gone: 'Its website is deleted.',
  made: (count: number) => (count === 0 ? 'No website made from it yet' : `${sites(count)} made from it`),
  seeCustomers: 'Show these customers',
  back: 'All templates',

  pushTitle: 'Update websites',
  pushText:
    'Bring the changes of the template to the websites made from it. Pages that were changed on a website stay as they are, and are listed.',
  look: 'See what would change',
  looking: (count: number) => `Comparing… ${sites(count)} so far`,
  nobody: 'No website was made from this template yet. You can choose it when you create a customer.',
  upToDate: (count: number) => `${sites(count)} compared: all are up to date.`,
  summary: (changed: number, count: number) => `${numberOf(changed)} of ${sites(count)} would change`,
  totals: ({ updated, added, left }: Counts) =>
    [
      updated > 0 && `${pages(updated)} updated`,
      added > 0 && `${pages(added)} added`,
      left > 0 && `${pages(left)} left as ${they(left)}`,
    ]
      .filter(Boolean)
      .join(', '),
  noChange: 'Nothing',
  push: (count: number) => `Update ${sites(count)}`,
  updated: 'Updated',
  added: 'Added',
  leftTitle: 'Left as they are',
  compare: 'Compare',
  compareOf: (page: string, site: string) => `Compare “${page}” of ${site}`,
  compareTitle: (page: string) => `“${page}” in both versions`,
  onSite: (site: string) => `On ${site}`,
  inTemplate: 'In the template',
  notOnSite: 'The page is not on the website.',
  notInTemplate: 'The page is no longer in the template.',
  reasons: {
    changed: 'was changed there',
    deleted: 'was deleted there',
    removed: 'is no longer in the template',
    name_taken: 'another page there has this name',
    address_taken: 'another page there has this address',
    no_parent: 'the page above it is not there',
    too_deep: 'it would be nested too deeply',
    plan_limit: 'the plan allows no more pages',
    not_allowed: 'the customer does not allow your agency to work on this website',
  } satisfies Record<LeftReasonJson, string>,

  pushesTitle: 'Earlier updates',
  states: {
    running: 'Under way',
    stopped: 'Stopped',
    done: 'Done',
    undoing: 'Being undone',
    undone: 'Undone',
  } satisfies Record<PushJson['state'], string>,
  pushOf: (when: string) => `Update of ${when}`,
  by: (who: string) => `by ${who}`,
  progress: (done: number, count: number) => `${numberOf(done)} of ${sites(count)}`,
  done: ({ changedPages, leftPages, sites: { done, undo, undone } }: PushJson) =>
    `${pages(changedPages)} changed${leftPages > 0 ? `, ${numberOf(leftPages)} left as ${they(leftPages)}` : ''} (${sites(done + undo + undone)})`,
  undoneSum: ({ changedPages, leftPages, sites: { undone } }: PushJson) =>
    `${pages(changedPages)} put back${leftPages > 0 ? `, ${numberOf(leftPages)} left because they were changed since` : ''} (${sites(undone)})`,
  failedSites: (count: number) => `${sites(count)} could not be changed.`,
  notUndoneSites: (count: number) => `The update of ${sites(count)} could not be undone.`,
  stoppedSites: (count: number) => `${sites(count)} stayed as they were.`,
  stop: 'Stop',
  undoAll: 'Undo on all websites',
  undoText: 'Puts back every page that nobody has changed since. The other pages are listed.',
  reportLeft: 'Pages to check',
  report: 'All websites',
  kept: 'Not undone, because they were changed since',
  siteStates: {
    waiting: 'Waiting',
    done: 'Done',
    failed: 'Could not be changed',
    stopped: 'Left as it was',
    undo: 'Waiting to be undone',
    undone: 'Undone',
  } satisfies Record<PushSiteJson['state'], string>,
  more: 'Show more websites',
};

export interface Counts {
  updated: number;
  added: number;
  left: number;
}
