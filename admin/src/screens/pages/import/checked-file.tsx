import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api-error.ts';
import type { PageImportJson } from '../../../contract.ts';
import { refreshPages } from '../../../data/tree-data.ts';
import { fieldErrors } from '../../../explain.ts';
import { ErrorAlert, Form, fieldProps, useFields } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { queryClient } from '../../../queries.ts';
import { importPages } from '../../../upload.ts';
import { ImportProgress } from './import-progress.tsx';
import { ImportedPages } from './imported-pages.tsx';
import { Notes } from './notes.tsx';
import { words } from './words.ts';
import { WrongPages } from './wrong-pages.tsx';

/** Shows the content of a file, and what the import would create from it. */
export function CheckedFile({ file }: { file: File }) {
  const [siteUrl, setSiteUrl] = useState('');
  const [sent, setSent] = useState(0);
  const about = { ...(siteUrl !== '' && { site_url: siteUrl }) };
  const check = useQuery({
    queryKey: ['page import check', file.name, file.size, file.lastModified, siteUrl],
    queryFn: ({ signal }) => importPages({ ...about, check: '' }, file, { signal, onProgress: setSent }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const start = useMutation({
    mutationFn: ({ posts, images }: Choices) => {
      setSent(0);
      const options = { signal: new AbortController().signal, onProgress: setSent };
      return importPages({ ...about, posts, ...(images && { images: '' }) }, file, options);
    },
    onSuccess: () => {
      void refreshPages();
      for (const queryKey of [['media'], ['to-do'], ['usage']]) void queryClient.invalidateQueries({ queryKey });
    },
  });
  if (start.data) return <ImportedPages imported={start.data} />;
  const isAddressAsked = check.error !== null && 'site_url' in fieldErrors(check.error);
  return (
    <Stack gap="lg" mt="lg">
      {check.isFetching && <ImportProgress sent={sent} text={words.reading} />}
      {!check.isFetching && isAddressAsked && (
        <AddressForm error={siteUrl === '' ? undefined : check.error} onAddress={setSiteUrl} />
      )}
      {!check.isFetching && check.error && !isAddressAsked && <WrongFile error={check.error} />}
      {check.data && !start.isPending && (
        <>
          {start.error && <WrongFile error={start.error} />}
          <Result checked={check.data} onStart={start.mutate} />
        </>
      )}
      {start.isPending && <ImportProgress sent={sent} text={start.variables.images ? words.copying : words.creating} />}
    </Stack>
  );
}

interface Choices {
  /** The name of the page below which posts are created. */
  readonly posts: string;
  readonly images: boolean;
}

function Result({ checked, onStart }: { checked: PageImportJson; onStart: (choices: Choices) => void }) {
  const { pageCount, site } = checked;
  const imageCount = site?.imagesLeft ?? 0;
  const fields = useFields({ posts: 'Blog' });
  const [images, setImages] = useState(imageCount > 0);
  if (pageCount === 0) return <Text role="alert">{words.none}</Text>;
  return (
    <>
      <Section title={words.result}>
        <Form onSubmit={() => onStart({ posts: fields.values.posts, images })}>
          <div>
            <Text role="status">{words.will(pageCount)}</Text>
            {site && site.unpublishedCount > 0 && <Text>{words.unpublished(site.unpublishedCount)}</Text>}
            {site && site.redirectCount > 0 && <Text>{words.redirects(site.redirectCount)}</Text>}
          </div>
          {site && site.postCount > 0 && (
            <TextInput label={words.posts} description={words.postsHelp} required {...fieldProps(fields)('posts')} />
          )}
          {imageCount > 0 && (
            <Checkbox
              label={words.images(imageCount)}
              description={words.imagesHelp}
              checked={images}
              onChange={({ currentTarget: { checked } }) => setImages(checked)}
            />
          )}
          <Group>
            <Button type="submit">{words.submit(pageCount)}</Button>
          </Group>
        </Form>
      </Section>
      {site && <Notes title={words.notes} notes={site.notes} count={site.noteCount} />}
    </>
  );
}

function AddressForm({ error, onAddress }: { error: unknown; onAddress: (address: string) => void }) {
  const fields = useFields({ site_url: 'https://' });
  return (
    <Section title={words.whereIsIt} text={words.addressHelp}>
      <Form onSubmit={() => onAddress(fields.values.site_url.trim())}>
        <TextInput
          label={words.address}
          type="url"
          required
          placeholder="https://www.example.com"
          {...fieldProps(fields, error)('site_url')}
        />
        <Group>
          <Button type="submit">{words.check}</Button>
        </Group>
      </Form>
    </Section>
  );
}

function WrongFile({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.status === 413) return <ErrorAlert error={error}>{words.tooLarge}</ErrorAlert>;
  if (error instanceof ApiError && error.fields.length > 0) return <WrongPages failures={error.fields} />;
  return <ErrorAlert error={error} />;
}
