import type { ReactNode } from 'react';
import type { PageFieldsJson } from '../../../contract.ts';
import { strings } from '../../../strings.ts';
import { formatDate, isOwnZone } from '../../../times.ts';
import classes from '../editor.module.css';

const words = strings.compare;
const names = strings.editor.settings;

export interface DifferentSetting {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly note?: ReactNode;
}

interface DifferentSettingsProps {
  readonly settings: readonly DifferentSetting[];
  readonly left: string;
  readonly right: string;
}

/** Shows the settings that differ, each under its name and in two columns like the texts, even on phones. */
export function DifferentSettings({ settings, left, right }: DifferentSettingsProps) {
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

/** Returns the settings that differ between two versions of a page, in words. Dates are in the site's time zone. */
export function settingsThatDiffer(
  left: PageFieldsJson,
  right: PageFieldsJson,
  timeZone: string,
  address: Omit<DifferentSetting, 'name'> = { left: left.urlname, right: right.urlname },
): DifferentSetting[] {
  const shown = ({ isHidden }: PageFieldsJson) => (isHidden ? strings.pages.hidden : words.shown);
  const [leftDate, rightDate] = datesOf(left.customDate, right.customDate, timeZone);
  const settings: DifferentSetting[] = [
    { name: names.address, ...address },
    { name: strings.fields.isHidden!, left: shown(left), right: shown(right) },
    // In the site's time zone, like the field for the date and the date that visitors read.
    { name: isOwnZone(timeZone) ? names.date : words.dateIn(timeZone), left: leftDate, right: rightDate },
    { name: names.format, left: formatOf(left), right: formatOf(right) },
  ];
  return settings.filter(({ left, right }) => left !== right);
}

/** Formats two dates, with seconds only if they would look equal without. */
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
