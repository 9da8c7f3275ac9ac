import { type Config, hasLocalHost } from '../config.ts';

/** Returns warnings about settings that are valid individually but unlikely to be intended together. */
export function configWarnings(config: Config): string[] {
  const { publicUrl, sitesDomain, smtpUrl, tlsCert, trustProxy } = config;
  const warnings: string[] = [];
  if (publicUrl.startsWith('https:') && !tlsCert && !trustProxy) {
    warnings.push(
      'PUBLIC_URL is https, but neither TLS_CERT nor TRUST_PROXY is set: every request will count as plain HTTP.',
    );
  }
  const isHere = hasLocalHost(publicUrl);
  if (!isHere && hasLocalHost(`http://${sitesDomain}`)) {
    warnings.push(
      `SITES_DOMAIN is ${sitesDomain} while PUBLIC_URL is ${publicUrl}: the addresses of sites in messages to customers work on this machine only.`,
    );
  }
  if (isHere && smtpUrl) {
    warnings.push(`SMTP_URL is set, but PUBLIC_URL is ${publicUrl}: the links in mail work on this machine only.`);
  }
  return warnings;
}
