import type { ListedPage } from '../../pages/list-pages.ts';
import { pageId } from '../../pages/page.ts';
import { pageTime } from './times.ts';

/**
 * One page of the list as JSON text, up to the opening bracket of its children: a caller writes them and `PAGE_END`.
 * Put together by hand, since parents and children come one after another and the largest list never is an object.
 */
export function pageStart(...page: Parameters<typeof pageFields>): string {
  return `${pageFields(...page)},"children":[`;
}

export const PAGE_END = ']}';

/** The fields of a page as JSON text, with an opening brace and no closing one. */
export function pageFields(
  page: ListedPage,
  place: { url: string; position: number },
  userNames: ReadonlyMap<number, string>,
): string {
  const { created_at, updated_at, custom_date } = page;
  const createdAt = pageTime(created_at);
  const same = (time: number) => (time === created_at ? createdAt : pageTime(time));
  return (
    `{"id":"${pageId(page.id)}"` +
    `,"name":${JSON.stringify(page.name)}` +
    `,"urlname":"${page.urlname}"` +
    `,"body":${JSON.stringify(page.body)}` +
    `,"created_at":"${createdAt}"` +
    `,"created_by":${JSON.stringify(userNames.get(page.created_by) ?? '')}` +
    `,"updated_at":"${same(updated_at)}"` +
    `,"updated_by":${JSON.stringify(userNames.get(page.updated_by) ?? '')}` +
    `,"parent_id":"${page.parent_id === null ? '0' : pageId(page.parent_id)}"` +
    `,"position":"${place.position}"` +
    `,"url":"${place.url}"` +
    `,"is_hidden":${page.is_hidden === 1}` +
    `,"description":${JSON.stringify(page.description)}` +
    `,"body_format":"${page.body_format}"` +
    `,"custom_date":"${same(custom_date)}"`
  );
}
