const number = (count: number) => count.toLocaleString('en-GB');
const counted = (count: number, what: string) => (count === 1 ? `1 ${what}` : `${number(count)} ${what}s`);

/** The texts of importing pages. */
export const words = {
  title: 'Import pages',
  back: 'Pages',
  choose: 'Choose a file',
  chooseOther: 'Choose another file',
  drop: 'Choose a file, or drop it here',
  dropText:
    'In WordPress, choose Tools → Export → All content. In Ghost, choose Settings → Import/Export → Export content. Or pack Markdown and HTML files with their images into a ZIP archive. Nothing is created until you have seen what is in the file.',
  tooLarge: 'The file is too large. Split it into smaller files, or ask your provider to import it.',
  reading: 'The file is being checked…',
  whereIsIt: 'Where is the old site?',
  address: 'Address of the old site',
  addressHelp: 'A file from Ghost does not contain the address of its site.',
  check: 'Check the file',

  wrong: 'What is wrong',
  wrongText: 'Nothing is created. Correct this, and choose the file again.',
  more: (count: number) => `And ${number(count)} others.`,

  result: 'What will happen',
  none: 'The file has no pages.',
  will: (count: number) => `${counted(count, 'page')} will be created, after your other pages.`,
  unpublished: (count: number) =>
    `${counted(count, 'page')} ${count === 1 ? 'is' : 'are'} not published, because visitors did not see ${count === 1 ? 'it' : 'them'} on the old site.`,
  redirects: (count: number) =>
    `${count === 1 ? '1 former address' : `${number(count)} former addresses`} will lead to the new pages once your domain leads here.`,
  posts: 'Page for the posts',
  postsHelp: 'The posts of the blog go below this page, latest first.',
  images: (count: number) => `Copy ${counted(count, 'image')} from the old site`,
  imagesHelp: 'The old site still has to be online. Images that are not copied are lost when it is switched off.',
  submit: (count: number) => `Create ${counted(count, 'page')}`,
  notes: 'What will be different',

  sending: 'The file is being sent…',
  creating: 'The pages are being created…',
  copying:
    'The images are being copied, and then the pages are created. This may take some minutes: keep this page open.',

  done: (count: number) => `${counted(count, 'page')} created`,
  copied: (count: number) => `${counted(count, 'image')} copied.`,
  left: (count: number) => `${counted(count, 'image')} ${count === 1 ? 'stays' : 'stay'} on the old site.`,
  toPages: 'See the pages',
  undo: 'Undo the import',
  undoing: 'The pages are being moved to the trash…',
  undoneTitle: 'The import is undone',
  undone: 'The pages are in the trash.',
  notesDone: 'What is different',
};
