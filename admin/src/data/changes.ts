import type { PageFieldsJson } from '../contract.ts';

/* The changes that a draft makes to the fields of its page. */

const names = ['name', 'urlname', 'isHidden', 'description', 'customDate', 'body', 'bodyFormat'] as const;

export function fieldsOf(page: PageFieldsJson): PageFieldsJson {
  const { name, urlname, isHidden, description, customDate, body, bodyFormat } = page;
  return { name, urlname, isHidden, description, customDate, body, bodyFormat };
}

/** Returns the page's fields with these changes. */
export function withChanges(page: PageFieldsJson, changed: Partial<PageFieldsJson>): PageFieldsJson {
  return { ...fieldsOf(page), ...changed };
}

export function changesOf(fields: Partial<PageFieldsJson>, page: PageFieldsJson): Partial<PageFieldsJson> {
  const differ = names.filter((name) => fields[name] !== undefined && fields[name] !== page[name]);
  // A changed text includes its format, because another user may publish the page in the other format meanwhile.
  const isText = differ.some(isOfText);
  const changed = names.filter(
    (name) => differ.includes(name) || (isText && isOfText(name) && fields[name] !== undefined),
  );
  return Object.fromEntries(changed.map((name) => [name, fields[name]]));
}

/** True if both changes result in the same page. */
export function isSameChange(one: Partial<PageFieldsJson>, other: Partial<PageFieldsJson>, page: PageFieldsJson) {
  return isEmpty(changesOf(withChanges(page, one), withChanges(page, other)));
}

/** Returns the object's own values of these fields. */
export function valuesOf<T extends object>(object: T, fields: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, object[name as keyof T]])) as Partial<T>;
}

function isOfText(name: keyof PageFieldsJson): boolean {
  return name === 'body' || name === 'bodyFormat';
}

export function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}
