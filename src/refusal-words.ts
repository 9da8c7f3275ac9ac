import type { AppError } from './errors.ts';
import { megabytes } from './megabytes.ts';
import { Refusal, type RefusalReason, type RefusalWords } from './refusal.ts';

const SUSPENDED = 'This website is suspended. The agency that set it up for you can tell you more.';

/** The reasons that only people in the admin app can get. */
type AppReason =
  | 'second_factor_exists'
  | 'nothing_to_confirm'
  | `passkey_${'exists' | 'unknown' | 'not_verified' | 'too_late' | 'of_another_site'}`
  | 'passkeys_impossible'
  | 'too_many_passkeys'
  | 'not_while_impersonating'
  | 'customer_not_suspended_so'
  | 'customer_on_other_plan'
  | 'schedule_changed'
  | 'note_changed'
  | 'too_many_notes'
  | 'archive_under_way'
  | 'previews_busy'
  | 'unknown_import_file';

/** English sentences for the refusals that programs and operators can get. */
const words = {
  undone_already: 'This has already been undone.',
  undo_overtaken: 'This can no longer be undone, because it has been changed since.',
  suspended_by: () => SUSPENDED,
  deleted_by: () => SUSPENDED,
  customer_deleted: 'The customer is deleted. Restore it first.',
  customer_suspended: 'The customer is suspended. End the suspension first.',
  impersonation_over: 'You are no longer signed in as this person.',
  impersonation_forbidden: ({ customer }) => `${customer} does not allow its agency to act in its account.`,
  too_many_webhooks: ({ max }) => `There are ${max} webhooks. Remove one first.`,
  too_many_keys: ({ max }) => `There are ${max} keys. Revoke some that are not in use.`,
  customer_has_customers: 'The account has customers of its own. Delete them first.',
  customers_nested_too_deeply: ({ max }) =>
    `There are at most ${max} levels of accounts, and the account is on the last of them: it cannot have customers.`,
  customer_suspended_already: ({ because }) =>
    because === null
      ? 'The customer is already suspended, without a reason. End that suspension first.'
      : `The customer is already suspended: "${because}" End that suspension first.`,
  customer_on_plan: ({ plan }) => `The customer is already on the plan "${plan}".`,
  too_many_plans: ({ max }) =>
    `There are already ${max.toLocaleString('en')} plans, the most that are allowed. Offer a retired plan again instead.`,
  plan_is_default: ({ plan }) => `New customers are put on the plan "${plan}". Make another plan the default first.`,
  currency_in_use: ({ currency }) =>
    `Customers pay in ${currency}. The currency cannot be changed while any of them is on a plan with a price.`,
  plan_retired: ({ plan }) => `The plan "${plan}" is retired. Restore it first, or choose another plan.`,
  template_retired: ({ template }) =>
    `The template "${template}" is no longer offered. Offer it again, or choose another one.`,
  too_many_templates: ({ max }) => `There are already ${max} templates, the most that are allowed.`,
  template_changed: 'The template has changed in the meantime. Look at what would change again.',
  push_under_way: 'This template is already being pushed. Wait until that is done.',
  push_too_old: 'This was too long ago to be undone.',
  later_push: 'The template was pushed again later. Undo that push first.',
  site_too_large: ({ pages, megabytes: size }) =>
    `The site is too large to be copied. A site can be copied with up to ${pages} pages and ${size} MB of text.`,
  no_brand: 'The account has no brand. Create one first.',
  not_top_level: 'Only top-level accounts can do this, which the operator has created.',
  brand_changed: 'Somebody else has changed the brand in the meantime.',
  words_changed: 'Somebody else has changed these words in the meantime.',
  import_running: 'Another import is running. Wait until it is done, or stop it.',
  invitation_accepted: ({ name }) => `${name} has already accepted the invitation.`,
  address_in_use: ({ name }) => `${name} has already signed in, and is the only one who can change the address now.`,
  removed_too_long_ago: 'This was removed more than 10 minutes ago.',
  domain_added_since: 'The domain has been added again since.',
  domain_lost_since: 'The domain has been verified for another account since.',
  too_many_domains: ({ max }) => `There are ${max} domains. Remove some that are not in use.`,
  last_owner: ({ name }) => `${name} is the last owner. Make somebody else an owner first.`,
  mail_address_taken_since: 'Somebody else uses this e-mail address now.',
  outcome_unknown: 'The database did not confirm the change. Check whether it was made before you try again.',
  images_busy: 'Too many images are being uploaded. Try again in a few seconds.',
  no_room_for_images: ({ bytes }) => `There is no room: the account's images may take up ${megabytes(bytes)} in all.`,
  image_removed_too_long_ago: 'The image was deleted more than 30 days ago. Upload it again.',
  empty_file: 'The file is empty.',
  not_an_image: 'The file is not an image.',
  not_a_web_image: 'The file is not an image that can be shown on the web: JPEG, PNG, WebP, AVIF or GIF.',
  svg_image: 'SVG images are not accepted, as they can contain programs. Send a PNG instead.',
  heic_image: 'HEIC images cannot be shown on the web. Send a JPEG instead.',
  damaged_image: 'The image is damaged, or is not of the kind that it claims to be.',
  costly_image: 'The image is encoded in a way that takes too long to read. Save it again with other settings.',
  slow_image: 'The image takes too long to read. Send a smaller one.',
  image_too_large: ({ bytes }) => `The image is larger than ${megabytes(bytes)}.`,
  image_too_wide: ({ max }) => `The image has more than ${max} pixels on one side.`,
  too_many_pixels: ({ max }) => `The image has more than ${max} million pixels.`,
  too_many_frames: ({ max }) => `The image has more than ${max} frames.`,
} satisfies Omit<RefusalWords, AppReason>;

/** Returns the sentence for an error, for programs and operators. */
export function messageInEnglish(error: AppError): string {
  if (!(error instanceof Refusal)) return error.message;
  const { reason, params } = error.why;
  const word = (words as Partial<Record<RefusalReason, string | ((params: never) => string)>>)[reason];
  return typeof word === 'function' ? word(params as never) : (word ?? error.message);
}
