import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, api } from '../../api.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { PageEditor } from './page-editor.tsx';

/** Loads the page, once: what comes from the service later must not replace what somebody is writing. */
export default function EditorScreen({ id }: { id: number }) {
  const page = useQuery({
    queryKey: ['page', id],
    queryFn: () => api.page(id),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (page.data && (page.isFetchedAfterMount || !page.isFetching)) {
    return <PageEditor key={page.data.version} page={page.data} />;
  }
  if (page.error instanceof ApiError && page.error.status === 404) return <NotFound />;
  if (page.error) return <ErrorNotice error={page.error} onRetry={page.refetch} />;
  return (
    <Center h="60vh">
      <Loader type="dots" aria-hidden />
    </Center>
  );
}
