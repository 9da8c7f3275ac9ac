import type { AppError } from './errors.ts';
import { megabytes } from './megabytes.ts';
import { type Reason, Refusal, type RefusalReason, type RefusalWords } from './refusal.ts';

/** English sentences for what programs and operators may be refused. People's reasons, such as those of passkeys, never reach them. */
const words = {
  undone_already: 'This has been undone already.',
  undo_overtaken: 'This cannot be undone any more, as others have changed it since.',
  customer_deleted: 'The customer is deleted. Restore it first.',
  customer_suspended: 'The customer is suspended. End the suspension first.',
  impersonation_forbidden: ({ customer }) => `${customer} does not allow its agency to act in its account.`,
  too_many_webhooks: ({ max }) => `There are ${max} webhooks. Remove one first.`,
  too_many_keys: ({ max }) => `There are ${max} keys. Revoke some that are not in use.`,
  customer_has_customers: 'The customer has customers of its own. Delete these first.',
  customer_suspended_already: ({ because }) =>
    because === null
      ? 'The customer is suspended already, without a reason. End that suspension first.'
      : `The customer is suspended already: "${because}" End that suspension first.`,
  customer_on_plan: ({ plan }) => `The customer is on the plan "${plan}" already.`,
  too_many_plans: ({ max }) =>
    `There are ${max.toLocaleString('en')} plans, and no more are possible. Offer a retired plan again instead.`,
  plan_is_default: ({ plan }) => `New customers are put on the plan "${plan}". Make another plan the default first.`,
  currency_in_use: ({ currency }) =>
    `Customers pay in ${currency}. The currency stays as it is while somebody is on a plan with a price.`,
  plan_retired: ({ plan }) => `The plan "${plan}" is retired. No more customers can get it.`,
  invitation_accepted: ({ name }) => `${name} has accepted the invitation already.`,
  address_in_use: ({ name }) => `${name} has signed in already, and alone can change the address now.`,
  removed_too_long_ago: 'This was removed more than 10 minutes ago.',
  domain_added_since: 'The domain has been added again since.',
  domain_lost_since: 'The domain has been verified for another account since.',
  too_many_domains: ({ max }) => `There are ${max} domains. Remove some that are not in use.`,
  last_owner: ({ name }) => `${name} is the last owner. Make somebody else an owner first.`,
  mail_address_taken_since: 'Somebody else has this mail address by now.',
  outcome_unknown: 'The database did not confirm the change. Look whether it was made before you try again.',
  images_busy: 'Too many images are being uploaded. Try again in a few seconds.',
  no_room_for_images: ({ bytes }) => `There is no room: the account's images may take up ${megabytes(bytes)} in all.`,
  image_removed_too_long_ago: 'The image was deleted more than 30 days ago. Upload it again.',
  empty_file: 'The file is empty.',
  not_an_image: 'The file is not an image.',
  not_a_web_image: 'The file is not an image that can be shown on the web: JPEG, PNG, WebP, AVIF or GIF.',
  svg_image: 'SVG images are not accepted, as they can contain programs. Send a PNG instead.',
  heic_image: 'HEIC images cannot be shown on the web. Send a JPEG instead.',
  damaged_image: 'The image is damaged, or is not of the kind that it claims to be.',
  costly_image: 'The image is stored in a way that takes too long to read. Save it anew.',
  slow_image: 'The image takes too long to be read. Send a smaller one.',
  image_too_large: ({ bytes }) => `The image is larger than ${megabytes(bytes)}.`,
  image_too_wide: ({ max }) => `The image has more than ${max} pixels on one side.`,
  too_many_pixels: ({ max }) => `The image has more than ${max} million pixels.`,
  too_many_frames: ({ max }) => `The image has more than ${max} frames.`,
} satisfies Partial<RefusalWords>;

/** Returns a sentence for why something is refused; undefined if there is none. */
export function refusalInEnglish({ reason, params }: Reason): string | undefined {
  const word = (words as Partial<Record<RefusalReason, string | ((params: never) => string)>>)[reason];
  return typeof word === 'function' ? word(params as never) : word;
}

/** Returns the sentence for what went wrong: where a refusal has none of its own, the one that programs get. */
export function messageInEnglish(error: AppError): string {
  const hasOwn = !(error instanceof Refusal) || error.message !== error.why.reason;
  return hasOwn ? error.message : (refusalInEnglish(error.why) ?? error.message);
}
