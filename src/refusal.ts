import { AppError, type ErrorCode } from './errors.ts';

/** Every reason to refuse an action in the admin app, with the parameters of its sentence. */
interface RefusalReasons {
  undone_already: undefined;
  undo_overtaken: undefined;
  removed_too_long_ago: undefined;
  image_removed_too_long_ago: undefined;
  mail_address_taken_since: undefined;
  domain_added_since: undefined;
  domain_lost_since: undefined;
  too_many_domains: { max: number };
  too_many_keys: { max: number };
  too_many_webhooks: { max: number };
  last_owner: { name: string };
  invitation_accepted: { name: string };
  /** Only the user can change the address now. */
  address_in_use: { name: string };
  second_factor_exists: undefined;
  nothing_to_confirm: undefined;
  too_many_passkeys: { max: number };
  passkey_exists: undefined;
  passkeys_impossible: undefined;
  passkey_unknown: undefined;
  passkey_not_verified: undefined;
  passkey_too_late: undefined;
  passkey_of_another_site: undefined;
  /** `because` is the reason that the seller `by` has written. */
  suspended_by: { by: string; because: string | null };
  /** `until` is the time when the account is deleted permanently. */
  deleted_by: { by: string; until: number };
  /** An impersonation has ended, and the browser is still signed in to the agency. */
  impersonation_over: undefined;
  not_while_impersonating: undefined;
  impersonation_forbidden: { customer: string };
  customer_suspended: undefined;
  customer_suspended_already: { because: string | null };
  customer_not_suspended_so: { because: string | null };
  customer_deleted: undefined;
  customer_has_customers: undefined;
  /** In levels of accounts, with the top-level account as the first. */
  customers_nested_too_deeply: { max: number };
  customer_on_other_plan: { plan: string };
  customer_on_plan: { plan: string };
  /** The change that is scheduled now; null for none. */
  schedule_changed: { plan: string | null; day: string | null };
  /** `text` is the current text of the note. */
  note_changed: { text: string };
  too_many_notes: { max: number };
  currency_in_use: { currency: string };
  too_many_plans: { max: number };
  plan_is_default: { plan: string };
  plan_retired: { plan: string };
  template_retired: { template: string };
  too_many_templates: { max: number };
  template_changed: undefined;
  push_under_way: undefined;
  push_too_old: undefined;
  later_push: undefined;
  /** The site exceeds the number of pages, or the size of their texts, that may be copied. */
  site_too_large: { pages: number; megabytes: number };
  brand_changed: undefined;
  import_running: undefined;
  archive_under_way: undefined;
  /** Words of messages are used only for customers who see a brand. */
  no_brand: undefined;
  words_changed: undefined;
  /**
   * Anybody can create accounts and have messages sent to strangers, so other accounts keep our words and links in
   * messages.
   */
  not_top_level: undefined;
  /** The database did not confirm the change. */
  outcome_unknown: undefined;
  previews_busy: undefined;
  images_busy: undefined;
  /** The account's images may take `bytes` in total. */
  no_room_for_images: { bytes: number };
  empty_file: undefined;
  not_an_image: undefined;
  not_a_web_image: undefined;
  svg_image: undefined;
  heic_image: undefined;
  damaged_image: undefined;
  /** The image is encoded in a way that takes very long to read. */
  costly_image: undefined;
  slow_image: undefined;
  image_too_large: { bytes: number };
  /** In pixels. */
  image_too_wide: { max: number };
  /** In millions. */
  too_many_pixels: { max: number };
  too_many_frames: { max: number };
  /** The file is not of a type that pages can be imported from. */
  unknown_import_file: undefined;
}

export type RefusalReason = keyof RefusalReasons;

/** Why an action is refused: a code and its parameters. */
export type Reason = {
  [R in RefusalReason]: RefusalReasons[R] extends undefined
    ? { readonly reason: R; readonly params?: undefined }
    : { readonly reason: R; readonly params: RefusalReasons[R] };
}[RefusalReason];

/** Words for every reason. */
export type RefusalWords = {
  readonly [R in RefusalReason]: RefusalReasons[R] extends undefined ? string : (params: RefusalReasons[R]) => string;
};

/**
 * Thrown when an action is refused. Each surface words the reason: the admin app with its own texts, the others with
 * `refusal-words.ts`.
 */
export class Refusal extends AppError {
  readonly why: Reason;

  constructor(code: ErrorCode, why: Reason, options?: ErrorOptions) {
    super(code, why.reason, options);
    this.name = 'Refusal';
    this.why = why;
  }
}
