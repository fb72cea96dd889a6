# A worker without a model: does what it knows about a task, in the folder it was started in. It takes the words of a task
# literally, as workers do, and does better when it is told what was wrong.
mkdir -p words

# Nobody planned this file, and two workers have the same idea at the same time.
list() {
  sleep 1
  echo "$1" >> languages.txt
}

case $PLANWRIGHT_TASK in
  TASK-00001) echo Hello > words/en.txt ;;
  TASK-00002) echo Guten Tag > words/de.txt; list de ;;
  TASK-00003) echo Bonjour > words/fr.txt; list fr ;;
  TASK-00004) echo こんにちは > words/ja.txt ;;
  TASK-00005)
    if [ -z "$PLANWRIGHT_FAILURE" ]; then echo 'cat words/en.txt' > greet.sh
    else echo 'cat "words/$1.txt" 2> /dev/null || cat words/en.txt' > greet.sh; fi ;;
  TASK-00006) echo 'for f in words/*.txt; do test "$(sh greet.sh "$(basename "$f" .txt)")" = "$(cat "$f")" || exit 1; done' > test.sh ;;
esac
