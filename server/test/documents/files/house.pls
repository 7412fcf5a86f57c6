[playlist]
NumberOfEntries=1
File1=http://stream.example.net/quaynews.mp3
Title1=Quay News
Length1=-1
Version=2
