/** Second-level names below which country registries register domains, such as `co` in `example.co.uk`. */
const REGISTRY_LABELS: ReadonlySet<string> = new Set(
  'ac co com edu gob gov govt gv id ltd me mil ne net nhs nom or org plc sch'.split(' '),
);

/**
 * Returns the registered domain whose zone contains the host's records. This is a guess, since it does not use the list of
 * all registries. It is used only to show names relative to the zone.
 */
export function zoneOf(host: string): string {
  const labels = host.split('.');
  const hasLongEnding = labels.length > 2 && labels.at(-1)!.length === 2 && REGISTRY_LABELS.has(labels.at(-2)!);
  return labels.slice(hasLongEnding ? -3 : -2).join('.');
}

/** Returns the name in the form that DNS providers ask for: without the domain at its end, or `@` for the domain itself. */
export function nameInZone(name: string, zone: string): string {
  return name === zone ? '@' : name.slice(0, -zone.length - 1);
}
