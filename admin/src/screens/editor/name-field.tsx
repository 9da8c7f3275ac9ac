import { strings } from '../../strings.ts';
import classes from './editor.module.css';

interface NameFieldProps {
  /** Undefined until it is known. The script in the page may have put it there by then: see src/before-app. */
  readonly name: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (name: string) => void;
}

/** The name of the page as the heading it is: a long one takes several lines, though it has no line ends itself. */
export function NameField({ name, isReadOnly, onChange }: NameFieldProps) {
  return (
    // The element behind the field has the same text, and gives it its height.
    <span className={classes.nameBox} data-name={`${name ?? ''} `}>
      <textarea
        className={classes.name}
        aria-label={strings.editor.name}
        rows={1}
        value={name}
        maxLength={255}
        readOnly={isReadOnly}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
        onChange={(event) => onChange(inOneLine(event.currentTarget.value))}
      />
    </span>
  );
}

function inOneLine(text: string): string {
  const [first = '', ...others] = text.split(/[\r\n]/);
  if (others.length === 0) return first;
  const last = others.pop()!.trimStart();
  const between = others.map((line) => line.trim()).filter((line) => line !== '');
  return [first.trimEnd(), ...between, last].join(' ');
}
