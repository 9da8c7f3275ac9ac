import { type Config, hasLocalHost } from '../config.ts';

/** Returns warnings about settings that are valid alone, but hardly what anybody wants together. */
export function configWarnings(config: Config): string[] {
  const { publicUrl, sitesDomain, smtpUrl, tlsCert, trustProxy } = config;
  const doubts: string[] = [];
  if (publicUrl.startsWith('https:') && !tlsCert && !trustProxy) {
    doubts.push(
      'PUBLIC_URL is https, but neither TLS_CERT nor TRUST_PROXY is set: every request will count as plain HTTP.',
    );
  }
  const isHere = hasLocalHost(publicUrl);
  if (!isHere && hasLocalHost(`http://${sitesDomain}`)) {
    doubts.push(
      `SITES_DOMAIN is ${sitesDomain} while PUBLIC_URL is ${publicUrl}: customers are mailed addresses of sites that work on this machine only.`,
    );
  }
  if (isHere && smtpUrl) {
    doubts.push(`SMTP_URL is set, but PUBLIC_URL is ${publicUrl}: the links in mail work on this machine only.`);
  }
  return doubts;
}
