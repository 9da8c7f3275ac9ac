import { useMediaQuery } from '@mantine/hooks';
import { Notifications, useNotifications } from '@mantine/notifications';
import { strings } from '../strings.ts';

/** Of a phone, however it is held. */
const SMALL = '(max-width: 30em), (max-height: 30em)';

/** The most that stand below one another. */
const MOST = 4;

/**
 * What was done, at the foot of the screen. More than there is room for lie on one another, the latest in front: the
 * pointer, a touch or the keyboard spreads them, and those behind stay until they have been in front.
 */
export function Messages() {
  const isSmall = useMediaQuery(SMALL) ?? false;
  const { notifications } = useNotifications();
  const isPile = notifications.length > (isSmall ? 1 : MOST);
  return (
    <aside aria-label={strings.notifications}>
      <Notifications
        position="bottom-center"
        layout={isPile ? 'stacked' : 'default'}
        // Beyond a limit the latest would wait for the others to go.
        limit={Number.MAX_SAFE_INTEGER}
        withinPortal={false}
      />
    </aside>
  );
}
