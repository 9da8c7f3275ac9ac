import { strings } from '../../strings.ts';
import classes from './editor.module.css';

interface NameFieldProps {
  /** Undefined until the page has loaded. The early script may have filled the field by then: see src/before-app. */
  readonly name: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (name: string) => void;
}

/** The page's name, edited as the heading. A long name wraps over several lines but contains no line breaks. */
export function NameField({ name, isReadOnly, onChange }: NameFieldProps) {
  return (
    // The parent's ::after repeats the text from data-name, which gives the field its height.
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
