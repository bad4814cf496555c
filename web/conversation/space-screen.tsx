export default function SpaceScreen(props: { ws: string; spaceId: string }) {
  return <h1>SpaceScreen {JSON.stringify(props)}</h1>;
}
