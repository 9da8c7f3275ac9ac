/** Every rule that a value can break, by its code, with the parameters that a sentence about it needs. */
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
  /** It is not the same as the value that it repeats. */
  mismatch: undefined;
  common_password: undefined;
  personal_password: undefined;
  not_true_or_false: undefined;
  not_included: undefined;
  not_a_text: undefined;
  not_a_list: undefined;
  not_an_object: undefined;
  /** `given` is the value, where the list is not known to those who wrote it; `more` counts values that are left out. */
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
  /** Every site serves something of its own there, so that no redirect would be followed. */
  served_path: undefined;
  /** The page is there, so that nothing has to lead to it. */
  own_path: undefined;
  not_a_webhook_address: undefined;
  /** It leads into a private network. */
  private_address: undefined;
  /** Names in braces that the text of a message must have. */
  placeholders_missing: { names: readonly string[] };
  /** A name in braces that stands for nothing. */
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
  /** The account's pages may take up `bytes` in all. */
  no_room: { bytes: number };
  /** The account's plan has no room for more. `storage` is in bytes. The seller can lift it. */
  plan_limit: { limit: 'pages' | 'people' | 'storage' | 'domains'; used: number; max: number; seller: string };
  count_out_of_range: { min: number; max: number };
  unchanged: undefined;
  taken: undefined;
  /** Another account gave it up, and it is kept from others until then, in milliseconds since 1970. */
  kept_from_others: { until: number };
  already_added: undefined;
  already_ended: undefined;
  already_sent: undefined;
  already_used: undefined;
  /** The first line of a file that cannot be read as CSV. */
  not_csv: { line: number };
  too_many_lines: { max: number };
  too_many_pages: { max: number };
  not_a_zip: undefined;
  /** It has a whole account, and not just pages. */
  account_archive: undefined;
  too_many_files: { max: number };
  too_many_images: { max: number };
  unpacks_too_large: { bytes: number };
  /** A path that leads out of its folder, or that is not the same on all systems. */
  unsafe_path: undefined;
  encrypted_file: undefined;
  /** A link or a device. */
  not_a_plain_file: undefined;
  unknown_file_type: undefined;
  unknown_compression: undefined;
  packed_too_densely: undefined;
  duplicate_file: undefined;
  not_utf8: undefined;
  damaged: undefined;
  /** It is no image that can be shown; `why` is a sentence. */
  not_an_image: { why: string };
  /** Others are wrong as well, which are not told. */
  more_failures: { count: number };
  no_lines: undefined;
  /** No column of the file has the values. */
  in_no_column: undefined;
  /** An earlier line of the file has the same value. */
  in_earlier_line: { line: number };
  /** A file of one of its images is not where it should be. */
  file_missing: undefined;
  /** Several have this name in other cases. */
  ambiguous: undefined;
  /** The lines of a file would copy so much from templates: texts and images, in bytes. */
  copies_too_large: { pages: number; bytes: number; maxPages: number; maxBytes: number };
  /** A site that is copied may have so many pages, and their texts so many bytes. */
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

/** One broken rule, and the name of the field that breaks it. */
export type FieldError = BrokenRule & { readonly field: string };

/** Words for every code. A code without words, or words without a code, fails the type check. */
export type FieldWords = {
  readonly [C in FieldCode]: FieldRules[C] extends undefined ? string : (params: FieldRules[C]) => string;
};
