/** Every rule that a value can break, by its code, with the parameters of its sentence. */
interface FieldRules {
  blank: undefined;
  /** In characters. */
  too_short: { min: number };
  /** In characters. */
  too_long: { max: number };
  too_many_bytes: { max: number };
  nul_character: undefined;
  control_character: undefined;
  wrong: undefined;
  /** The value differs from the one that it should repeat. */
  mismatch: undefined;
  common_password: undefined;
  personal_password: undefined;
  not_true_or_false: undefined;
  not_included: undefined;
  not_a_text: undefined;
  not_a_list: undefined;
  not_an_object: undefined;
  /** `given` is the value, for lists that the author of the value does not know. `more` is the number of values left out. */
  not_one_of: { values: readonly string[]; given?: string; more?: number };
  days_out_of_range: { min: number; max: number };
  not_an_amount: undefined;
  as_before: undefined;
  not_a_currency: undefined;
  not_a_date: undefined;
  not_a_time: undefined;
  in_the_past: undefined;
  not_after_today: undefined;
  not_a_mail_address: undefined;
  /** No user of the account has followed a link that was mailed to the address. */
  not_proved: undefined;
  not_a_url: undefined;
  not_a_path: undefined;
  /** Every site serves this path itself, so a redirect would never be used. */
  served_path: undefined;
  /** The path is the page's own. */
  own_path: undefined;
  not_a_webhook_address: undefined;
  /** The address leads into a private network. */
  private_address: undefined;
  /** The text of a message lacks these names in braces. */
  placeholders_missing: { names: readonly string[] };
  /** The text of a message has a name in braces without a meaning. */
  placeholder_unknown: { name: string; allowed: readonly string[] };
  not_a_colour: undefined;
  not_a_language: undefined;
  not_a_time_zone: undefined;
  not_an_idempotency_key: undefined;
  not_a_subdomain: undefined;
  hyphen_at_end: undefined;
  reserved: undefined;
  ip_address: undefined;
  has_port: undefined;
  not_a_host_name: undefined;
  not_a_whole_host_name: undefined;
  of_this_installation: undefined;
  missing: undefined;
  too_deep: undefined;
  below_itself: undefined;
  /** The account's pages may take `bytes` in total. */
  no_room: { bytes: number };
  /** The account's plan allows no more. `storage` is in bytes. The seller can raise the limit. */
  plan_limit: { limit: 'pages' | 'people' | 'storage' | 'domains'; used: number; max: number; seller: string };
  count_out_of_range: { min: number; max: number };
  unchanged: undefined;
  taken: undefined;
  /** Another account released the subdomain. It is reserved until `until`, in milliseconds since 1970. */
  kept_from_others: { until: number };
  already_added: undefined;
  already_ended: undefined;
  already_sent: undefined;
  already_used: undefined;
  /** `line` is the first line of the file that cannot be read as CSV. */
  not_csv: { line: number };
  too_many_lines: { max: number };
  too_many_pages: { max: number };
  not_a_zip: undefined;
  /** The file is the archive of a whole account, not just of pages. */
  account_archive: undefined;
  too_many_files: { max: number };
  too_many_images: { max: number };
  unpacks_too_large: { bytes: number };
  /** The path leads out of its folder, or differs between operating systems. */
  unsafe_path: undefined;
  encrypted_file: undefined;
  /** The file is a link or a device. */
  not_a_plain_file: undefined;
  unknown_file_type: undefined;
  unknown_compression: undefined;
  packed_too_densely: undefined;
  duplicate_file: undefined;
  not_utf8: undefined;
  damaged: undefined;
  /** The image cannot be shown; `why` is a sentence. */
  not_an_image: { why: string };
  /** The number of further failures, which are not listed. */
  more_failures: { count: number };
  no_lines: undefined;
  /** No column of the file contains the field. */
  in_no_column: undefined;
  /** An earlier line of the file has the same value. */
  in_earlier_line: { line: number };
  /** A file of one of the template's images is missing. */
  file_missing: undefined;
  /** Several items have this name in different cases. */
  ambiguous: undefined;
  /** The lines of a file would together copy this much from templates. Bytes count texts and images. */
  copies_too_large: { pages: number; bytes: number; maxPages: number; maxBytes: number };
  /** The site exceeds the number of pages, or the size of their texts, that may be copied. */
  site_too_large: { pages: number; megabytes: number };
  /** The mail address has been sent too many messages. */
  mailed_too_often: { seconds: number };
}

export type FieldCode = keyof FieldRules;

/** A rule that a value breaks: its code and its parameters. */
export type BrokenRule = {
  [C in FieldCode]: FieldRules[C] extends undefined
    ? { readonly code: C; readonly params?: undefined }
    : { readonly code: C; readonly params: FieldRules[C] };
}[FieldCode];

/** A broken rule, with the name of its field. */
export type FieldError = BrokenRule & { readonly field: string };

/** Words for every code. A code without words, or words without a code, fails the type check. */
export type FieldWords = {
  readonly [C in FieldCode]: FieldRules[C] extends undefined ? string : (params: FieldRules[C]) => string;
};
