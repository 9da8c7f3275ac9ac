import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** Loads the images of the site page by page, the latest first, with the storage that they use and may use. */
export function useMediaList() {
  const list = useInfiniteQuery({
    queryKey: ['media'],
    queryFn: ({ pageParam }) => api.media(pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ media, hasMore }) => (hasMore ? media.at(-1)?.id : undefined),
    staleTime: 0,
  });
  return { list, media: list.data?.pages.flatMap((page) => page.media), room: list.data?.pages[0] };
}
