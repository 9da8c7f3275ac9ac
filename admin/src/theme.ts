import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  CloseButton,
  type CloseButtonProps,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  defaultVariantColorsResolver,
  InputWrapper,
  type MantineColorsTuple,
  Menu,
  Modal,
  Paper,
  PasswordInput,
} from '@mantine/core';
import { strings } from './strings.ts';

// A green ink. The shades from the sixth on are dark enough for white text.
const ink: MantineColorsTuple = [
  '#eaf6f3',
  '#d3eae4',
  '#a5d5c9',
  '#74bfad',
  '#4bab95',
  '#31947e',
  '#227a68',
  '#1c6758',
  '#175448',
  '#0f3d34',
];

// Dark greys with a tint of the ink, like the backgrounds.
const dark: MantineColorsTuple = [
  '#dde3e0',
  '#b9c2be',
  '#939d99',
  '#6a7470',
  '#444d4a',
  '#3a4340',
  '#262c2a',
  '#1d2120',
  '#181b1a',
  '#121514',
];

// Cast, because Mantine's type for default props lacks HTML attributes.
const closeButtonProps = { 'aria-label': strings.close } as Partial<CloseButtonProps>;

const showPassword = { 'aria-label': strings.signIn.showPassword, tabIndex: 0 };

// Without this role, the header of a dialog would be a banner landmark of the page.
const noBanner = { header: { role: 'presentation' } };

/** The app's theme. Does not affect the sites, which have themes of their own. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
  headings: {
    fontFamily: "'Bricolage Grotesque Variable', 'Inter Variable', system-ui, sans-serif",
    fontWeight: '650',
  },
  defaultRadius: 'md',
  // A brand's colour may be too bright for white text.
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    return input.variant === 'filled' && input.color === 'ink'
      ? { ...colours, color: 'var(--app-on-primary)' }
      : colours;
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Badge: Badge.extend({ defaultProps: { radius: 'sm', tt: 'none' } }),
    Button: Button.extend({ defaultProps: { loaderProps: { type: 'dots' } } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } }),
    InputWrapper: InputWrapper.extend({ defaultProps: { withAsterisk: false } }),
    CloseButton: CloseButton.extend({ defaultProps: closeButtonProps }),
    // Mantine's placeholder would be an empty stop for the keyboard.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { attributes: noBanner } }),
    Drawer: Drawer.extend({ defaultProps: { attributes: noBanner } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'lg' } }),
    PasswordInput: PasswordInput.extend({ defaultProps: { visibilityToggleButtonProps: showPassword } }),
  },
});

/** Colours with the contrast of 4.5:1 that WCAG demands, which Mantine's secondary colours lack. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--app-on-primary': '#fff' },
  light: {
    '--mantine-color-body': '#fbfaf7',
    '--mantine-color-dimmed': '#5b625f',
    '--mantine-color-placeholder': '#6a716e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#175448',
    '--app-panel': '#ffffff',
    '--app-line': '#e4e1d9',
    '--app-hover': '#f1efe9',
    '--app-selected': '#e3f1ed',
    '--app-attention': '#8a5300',
  },
  dark: {
    '--mantine-color-body': '#151817',
    '--mantine-color-dimmed': '#a3aca8',
    '--mantine-color-placeholder': '#98a19d',
    '--mantine-color-error': '#ff9a92',
    '--mantine-color-anchor': '#74bfad',
    '--app-panel': '#1d2120',
    '--app-line': '#343a38',
    '--app-hover': '#262b29',
    '--app-selected': '#20362f',
    '--app-attention': '#f0b45b',
  },
});
