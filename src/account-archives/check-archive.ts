import type { Config } from '../config.ts';
import { parseHost } from '../domains/host-name.ts';
import { AppError } from '../errors.ts';
import { mailKinds } from '../mail/mail-words.ts';
import { fileName } from '../media/file-name.ts';
import { readMediaName } from '../media/media-name.ts';
import { validateName } from '../name.ts';
import { bytesOf } from '../pages/page-bytes.ts';
import { emailKey, validateEmail } from '../users/create-user.ts';
import { archiveFiles, type FileName, fileNames, type Line, type PersonSecrets, pathOf } from './format.ts';
import { checkAccount, checkPageTexts, failuresOf, hasSecrets, isBrandImage, isDraft } from './line-rules.ts';
import { type Counts, validateLine } from './parse-line.ts';
import { TreeChecker } from './tree-checker.ts';
import type { ArchiveReader } from './zip-reader.ts';

/** An image of an archive whose files exist. */
interface ImageLine extends Line {
  readonly hash: string;
  readonly files: Readonly<Record<string, number>>;
  readonly removed_at: number | null;
}

/** The facts about an archive that an import needs before it begins. */
export interface CheckedArchive {
  readonly account: Line;
  readonly images: readonly ImageLine[];
  /** The bytes of the texts of pages, deleted pages, revisions and drafts. */
  readonly pageBytes: number;
  /** The highest version of a page. */
  readonly lastVersion: number;
  /** The number of pages in each deletion. */
  readonly deletionSizes: readonly number[];
  readonly counts: Counts;
}

type Settings = Pick<Config, 'pageQuota' | 'mediaQuota' | 'publicUrl' | 'sitesDomain'>;

/** How many failures are reported. */
const MAX_FAILURES = 50;

/**
 * Reads an archive from end to end, and checks every line. Changes nothing.
 * @throws AppError `invalid` with all failures and their places
 */
export async function checkArchive(reader: ArchiveReader, settings: Settings): Promise<CheckedArchive> {
  const checker = new Checker(reader, settings);
  for (const name of fileNames) {
    if (reader.manifest.lines[name] > archiveFiles[name].maxLines) {
      throw new AppError(
        'invalid',
        `The archive cannot be imported: ${pathOf(name)} has more than ${archiveFiles[name].maxLines} lines.`,
      );
    }
  }
  for (const name of fileNames) {
    let number = 0;
    for await (const line of reader.lines(name)) checker.check(name, line, ++number);
  }
  return checker.finish();
}

/** The most files of one image, one for each size and format. Leaves room for more sizes in later versions. */
const MAX_FILES = 32;
const SECRETS: readonly (keyof PersonSecrets)[] = ['password_hash', 'second_factor', 'recovery_codes'];

class Checker {
  readonly #reader: ArchiveReader;
  readonly #settings: Settings;
  readonly #counts: Counts;
  readonly #failures: string[] = [];
  #failureCount = 0;
  readonly #tree: TreeChecker;
  readonly #planNames = new Set<string>();
  readonly #addresses = new Set<string>();
  readonly #hosts = new Set<string>();
  readonly #hashes = new Set<string>();
  /** The keys of lines that must be unique. */
  readonly #keys = new Set<string>();
  readonly #deletionSizes: number[];
  readonly #images: ImageLine[] = [];
  #account: Line = {};
  #defaultPlans = 0;
  #owners = 0;
  #imageFiles = 0;
  #imageBytes = 0;
  #pageBytes = 0;
  #lastVersion = 0;

  constructor(reader: ArchiveReader, settings: Settings) {
    const { lines } = reader.manifest;
    this.#reader = reader;
    this.#settings = settings;
    this.#counts = {
      people: lines.people,
      deletions: lines.deletions,
      pages: lines.pages + lines['deleted-pages'],
    };
    this.#tree = new TreeChecker(Math.min(lines.pages, archiveFiles.pages.maxLines));
    this.#deletionSizes = new Array<number>(lines.deletions).fill(0);
  }

  check(name: FileName, line: Line, number: number): void {
    const others = name === 'images' ? ['files'] : name === 'people' && this.#hasSecrets ? SECRETS : [];
    const problems = validateLine(archiveFiles[name].fields, line, this.#counts, others);
    // The content of a line is checked only if its form is right.
    if (problems.length === 0) problems.push(...this.#checkContent(name, line, number));
    for (const problem of problems) this.#fail(`${pathOf(name)}, line ${number}: ${problem}`);
    if (typeof line.version === 'number') this.#lastVersion = Math.max(this.#lastVersion, line.version);
  }

  /** Checks the archive as a whole, and returns its facts. @throws AppError `invalid` if there are failures */
  finish(): CheckedArchive {
    if (this.#reader.manifest.lines.account !== 1) this.#fail('account.jsonl must have one line');
    if (this.#defaultPlans !== 1) this.#fail('plans.jsonl: one plan must be the default');
    if (this.#owners === 0) this.#fail('people.jsonl: there is no owner');
    for (const problem of this.#tree.finish()) this.#fail(problem);
    if (this.#imageFiles !== this.#reader.imageCount)
      this.#fail('images: there are files that do not belong to an image');
    if (this.#imageBytes > this.#settings.mediaQuota) {
      this.#fail(
        `images.jsonl: the images have more than the ${this.#settings.mediaQuota} bytes that an account may have (MEDIA_QUOTA)`,
      );
    }
    if (this.#failureCount > 0) throw this.#error();
    return {
      account: this.#account,
      images: this.#images,
      pageBytes: this.#pageBytes,
      lastVersion: this.#lastVersion,
      deletionSizes: this.#deletionSizes,
      counts: this.#counts,
    };
  }

  get #hasSecrets(): boolean {
    return this.#reader.manifest.has_secrets;
  }

  #fail(problem: string): void {
    this.#failureCount += 1;
    if (this.#failures.length < MAX_FAILURES) this.#failures.push(problem);
  }

  #error(): AppError {
    const rest = this.#failureCount - this.#failures.length;
    const lines = [...this.#failures, ...(rest > 0 ? [`and ${rest} more errors`] : [])];
    return new AppError(
      'invalid',
      `The archive cannot be imported. Nothing was changed.\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
  }

  #checkContent(name: FileName, line: Line, number: number): string[] {
    switch (name) {
      case 'account':
        this.#account = line;
        return checkAccount(line);
      case 'plans':
        return this.#checkPlan(line);
      case 'brand-images':
        if (!isBrandImage(line)) return ['it is not a brand image'];
        return this.#refuseSecond(`image ${line.name}`);
      case 'mail-words':
        if (!mailKinds.includes(line.kind as never)) return ['"kind" is not a kind of message'];
        return this.#refuseSecond(`words ${line.kind}`);
      case 'domains':
        return this.#checkDomain(String(line.host));
      case 'people':
        return this.#checkPerson(line);
      case 'pages':
        this.#countBytes(line);
        return [...checkPageTexts(line), ...this.#tree.check(line, number)];
      case 'deletions':
        return this.#isDeleted(line.page) ? [] : ['"page" is not a deleted page'];
      case 'deleted-pages':
        this.#countBytes(line);
        this.#deletionSizes[Number(line.deletion) - 1]! += 1;
        return checkPageTexts(line);
      case 'revisions':
        this.#countBytes(line);
        return [];
      case 'drafts':
        this.#pageBytes += Buffer.byteLength(String(line.fields));
        this.#refuseTooMuch();
        if (!isDraft(String(line.fields))) return ['"fields" are not the fields of a draft'];
        return this.#refuseSecond(`draft ${line.page} ${line.by}`);
      case 'redirects':
        if (!String(line.path).startsWith('/')) return ['"path" must begin with a slash'];
        return this.#refuseSecond(`redirect ${line.page} ${line.path}`);
      case 'images':
        return this.#checkImage(line as ImageLine);
      default:
        return [];
    }
  }

  /** Refuses a second line with the same key. */
  #refuseSecond(key: string): string[] {
    if (this.#keys.has(key)) return ['it is a duplicate'];
    this.#keys.add(key);
    return [];
  }

  #isDeleted(page: unknown): boolean {
    return Number(page) > this.#reader.manifest.lines.pages;
  }

  #countBytes(line: Line): void {
    this.#pageBytes += bytesOf(line as { body: string; description: string | null });
    this.#refuseTooMuch();
  }

  /** Refuses too many bytes at once: an archive can be made to unpack to any size. */
  #refuseTooMuch(): void {
    const { pageQuota } = this.#settings;
    if (this.#pageBytes <= pageQuota) return;
    throw new AppError(
      'invalid',
      `The archive cannot be imported: the texts of its pages have more than the ${pageQuota} bytes that an account may have (PAGE_QUOTA).`,
    );
  }

  #checkPlan(line: Line): string[] {
    const failures = failuresOf('name', validateName(String(line.name)));
    if (this.#planNames.has(String(line.name))) failures.push('"name" is the name of another plan');
    this.#planNames.add(String(line.name));
    if (line.is_default) this.#defaultPlans += 1;
    return failures;
  }

  #checkDomain(host: string): string[] {
    if (this.#hosts.has(host)) return ['"host" is a duplicate'];
    this.#hosts.add(host);
    try {
      return parseHost(host, this.#settings) === host ? [] : ['"host" is not in the usual form of host names'];
    } catch {
      return ['"host" is not a host name that an account can have here'];
    }
  }

  #checkPerson(line: Line): string[] {
    const failures = failuresOf('name', validateName(String(line.name)));
    const isPresent = line.removed_at === null;
    if (line.acts_for === null) failures.push(...failuresOf('email', validateEmail(String(line.email))));
    else if (isPresent) failures.push('"removed_at" must be set for somebody who acts for another person');
    const key = emailKey(String(line.email));
    if (isPresent && this.#addresses.has(key)) failures.push('"email" is the address of another person');
    if (isPresent) this.#addresses.add(key);
    if (isPresent && line.role === 'owner') this.#owners += 1;
    if (this.#hasSecrets && !hasSecrets(line, isPresent)) failures.push('the secrets have the wrong form');
    return failures;
  }

  #checkImage(image: ImageLine): string[] {
    const { hash, files, width, height, is_moving: isMoving } = image;
    if (!/^[0-9a-f]{32}$/.test(hash)) return ['"hash" must have 32 hexadecimal digits'];
    if (this.#hashes.has(hash)) return ['"hash" is the hash of another image'];
    this.#hashes.add(hash);
    if (fileName(String(image.name)) !== image.name) return ['"name" is not a file name'];
    if (typeof files !== 'object' || files === null || Array.isArray(files)) return ['"files" is not an object'];
    const entries = Object.entries(files);
    const names = entries.map(([name]) => readMediaName(name));
    const isOwn = names.every((name) => name?.hash === hash && name.isMoving === isMoving);
    const hasLargest = names.some((name) => name?.width === width && name?.height === height);
    if (!isOwn || !hasLargest || entries.length > MAX_FILES) return ['the names in "files" do not match the image'];
    const lost = entries.find(([name, bytes]) => this.#reader.imageBytes(name) !== bytes || bytes === 0);
    if (lost) return [`the file images/${lost[0]} is missing or has another size`];
    this.#imageFiles += entries.length;
    if (image.removed_at === null) this.#imageBytes += entries.reduce((sum, [, bytes]) => sum + bytes, 0);
    this.#images.push(image);
    return [];
  }
}
