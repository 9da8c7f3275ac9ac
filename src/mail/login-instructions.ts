import { escapeHtml } from '../html.ts';
import { oneLine } from './one-line.ts';
import type { Message } from './outbox.ts';

export interface LoginInstructions {
  userName: string;
  userEmail: string;
  accountName: string;
  /** The account under which the customer was created. */
  senderName: string;
  siteUrl: string;
  signInUrl: string;
}

/** The message that tells a new customer's admin user where to sign in. It never has the password. */
export function loginInstructions(values: LoginInstructions): Message {
  const { userEmail, siteUrl, signInUrl } = values;
  // A name is one line wherever it stands.
  const [userName, accountName, senderName] = [values.userName, values.accountName, values.senderName].map(oneLine) as [
    string,
    string,
    string,
  ];
  const subject = `Your website ${accountName} is ready`;
  const text = `Hello ${userName},

${senderName} has set up the website ${accountName} for you.

Sign in to look after it:
${signInUrl}

E-mail:   ${userEmail}
Password: the one that was chosen when the website was set up

Your website is at:
${siteUrl}

You get this message because ${senderName} named you as the administrator of ${accountName}. If you did not expect
it, ask them about it, or leave it be.
`;
  const [user, account, sender] = [userName, accountName, senderName].map(escapeHtml) as [string, string, string];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:32px 16px;background:#f3f4f6;color:#1f2937;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:540px;margin:0 auto;background:#ffffff;border-radius:12px">
<tr><td style="padding:32px;overflow-wrap:anywhere">
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;color:#111827">Your website is ready</h1>
<p style="margin:0 0 16px">Hello ${user},</p>
<p style="margin:0 0 24px">${sender} has set up the website <strong>${account}</strong> for you.</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(signInUrl)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none">Sign in</a></p>
<p style="margin:0 0 4px">E-mail: <strong>${escapeHtml(userEmail)}</strong></p>
<p style="margin:0 0 24px">Password: the one that was chosen when the website was set up</p>
<p style="margin:0 0 24px">Your website is at <a href="${escapeHtml(siteUrl)}" style="color:#1d4ed8">${escapeHtml(siteUrl)}</a>.</p>
<p style="margin:0;padding-top:20px;border-top:1px solid #e5e7eb;font-size:13px;color:#6b7280">You get this message because ${sender} named you as the administrator of ${account}. If you did not expect it, ask them about it, or leave it be. If the button does not work, open ${escapeHtml(signInUrl)}</p>
</td></tr>
</table>
</body>
</html>
`;
  return { fromName: senderName, toName: userName, toEmail: userEmail, subject, text, html };
}
