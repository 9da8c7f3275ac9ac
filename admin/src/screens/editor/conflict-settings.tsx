import type { ReactNode } from 'react';
import type { PageFieldsJson, PageJson } from '../../contract.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatDate, isOwnZone } from '../../times.ts';
import { AddressNote, useAddressPreview } from './address-preview.tsx';
import classes from './editor.module.css';

const words = strings.editor.conflict;
const names = strings.editor.settings;

interface DifferentSetting {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly note?: ReactNode;
}

interface ConflictSettingsProps {
  readonly settings: readonly DifferentSetting[];
  readonly left: string;
  readonly right: string;
}

/** What differs and is no text, under the name of each: two columns, as of the texts, also on a phone. */
export function ConflictSettings({ settings, left, right }: ConflictSettingsProps) {
  return (
    <table className={classes.different}>
      <caption>{words.settings}</caption>
      <thead>
        <tr>
          <th scope="col">{left}</th>
          <th scope="col">{right}</th>
        </tr>
      </thead>
      {settings.map(({ name, left, right, note }) => (
        <tbody key={name}>
          <tr>
            <th scope="rowgroup" colSpan={2}>
              {name}
            </th>
          </tr>
          <tr>
            <td>{left}</td>
            <td>
              {right}
              {note}
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}

/** Those of the merged page that are not as they are now, in words. */
export function useSettingsThatDiffer(current: PageJson, merged: PageFieldsJson): DifferentSetting[] {
  const { timeZone } = useSession().account;
  const address = useAddressPreview(current, merged);
  const settings: DifferentSetting[] = [];
  const addressAfter = addressOf(current, merged, address);
  if (addressAfter !== current.path) {
    const note = <AddressNote error={address.error} changes={address.changes} />;
    settings.push({ name: names.address, left: current.path, right: addressAfter, note });
  }
  if (merged.isHidden !== current.isHidden) {
    const shown = (isHidden: boolean) => (isHidden ? strings.pages.hidden : words.shown);
    const name = strings.fields.isHidden!;
    settings.push({ name, left: shown(current.isHidden), right: shown(merged.isHidden) });
  }
  if (merged.customDate !== current.customDate) {
    const [left, right] = datesOf(current.customDate, merged.customDate, timeZone);
    // As in the field that it is set in: it is what visitors read.
    settings.push({ name: isOwnZone(timeZone) ? names.date : words.dateIn(timeZone), left, right });
  }
  if (merged.bodyFormat !== current.bodyFormat) {
    settings.push({ name: names.format, left: formatOf(current), right: formatOf(merged) });
  }
  return settings.filter(({ left, right }) => left !== right);
}

/** As the service says it will be; until it has said so, and where it refuses, as it was typed. */
function addressOf({ path }: PageJson, { urlname }: PageFieldsJson, preview: ReturnType<typeof useAddressPreview>) {
  const isKnown = preview.changes !== undefined && !preview.error;
  const above = path.slice(0, path.lastIndexOf('/'));
  return `${above}/${isKnown ? preview.urlname : urlname}`;
}

/** To the second only where they would look the same otherwise. */
function datesOf(left: number, right: number, timeZone: string): [string, string] {
  const format = (isExact: boolean): [string, string] => [
    formatDate(left, timeZone, isExact),
    formatDate(right, timeZone, isExact),
  ];
  const [one, other] = format(false);
  return format(one === other);
}

function formatOf({ bodyFormat }: PageFieldsJson): string {
  return bodyFormat === 'markdown_format' ? strings.editor.markdown : strings.editor.visual;
}
