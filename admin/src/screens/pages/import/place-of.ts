/** The fields of a page in import errors, with the app's names for them. */
const pageFields: Readonly<Record<string, string>> = {
  name: 'name',
  urlname: 'urlname',
  body: 'body',
  description: 'description',
  children: 'children',
  custom_date: 'customDate',
  body_format: 'bodyFormat',
  is_hidden: 'isHidden',
  is_published: 'isPublished',
  hidden: 'isHidden',
  published: 'isPublished',
  date: 'customDate',
  position: 'position',
};

/** The fields of import errors about the whole file. */
const fileFields: Readonly<Record<string, string>> = {
  archive: 'file',
  pages: 'pages',
  posts: 'posts',
  site_url: 'site_url',
};

/** Splits the field of an import error into the page or the file of an archive (empty for none) and the field of that. */
export function placeOf(field: string): { place: string; field: string } {
  const whole = fileFields[field];
  if (whole !== undefined) return { place: '', field: whole };
  const dot = field.lastIndexOf('.');
  const ofPage = dot > 0 ? pageFields[field.slice(dot + 1)] : undefined;
  if (ofPage !== undefined) return { place: field.slice(0, dot), field: ofPage };
  return { place: field, field: /^(pages\[|")/.test(field) ? 'page' : 'file' };
}
